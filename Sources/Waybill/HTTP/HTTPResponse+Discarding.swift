extension HTTPResponse {
    /// How many bytes of a body that nobody wants are read at most.
    package static var discardedBodyLimit: Int { 16 * 1024 }

    /// Reads the rest of a body that nobody wants, where that is little.
    ///
    /// The connection can take the next request only when this body has come to its end. Where it is long, or may be,
    /// a new connection is cheaper than waiting: the body is let go unread when the caller goes on, which stops the
    /// transfer. That it breaks off does not matter either way.
    package func discardBody() async {
        // Some transports know the length from nowhere but the field.
        let length = body.length ?? headerFields[.contentLength].flatMap { Int($0) }
        guard body.bytes == nil, let length, length <= Self.discardedBodyLimit else { return }
        _ = try? await body.collect(upTo: Self.discardedBodyLimit)
    }
}
