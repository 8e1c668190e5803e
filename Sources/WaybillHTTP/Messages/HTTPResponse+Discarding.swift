extension HTTPResponse {
    /// The most bytes that are read of a body to be discarded.
    package static var discardedBodyLimit: Int { 16 * 1024 }

    /// Reads the rest of a body to be discarded, if it is short.
    ///
    /// The connection can take the next request only after the end of this body. If it is long, or may be, a new
    /// connection is cheaper than waiting: the caller drops the body unread, which stops the transfer. Errors are
    /// ignored.
    package func discardBody() async {
        // Some transports know the length only from the field.
        let length = body.length ?? headerFields[.contentLength].flatMap { Int($0) }
        guard body.bytes == nil, let length, length <= Self.discardedBodyLimit else { return }
        _ = try? await body.collect(upTo: Self.discardedBodyLimit)
    }
}
