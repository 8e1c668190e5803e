import WaybillHTTP

extension HTTPRequest {
    /// The maximum total size of a request's URL and header fields, in bytes.
    ///
    /// Servers accept about 8,000 bytes; libcurl, which `URLSession` also uses on Linux, builds heads of up to 1 MiB.
    package static let headLimit = 1_000_000

    /// Checks that the URL and the header fields are short enough to be sent.
    ///
    /// - Parameter urlBytes: the length of the URL, in bytes.
    /// - Throws: `TransportError` of kind `TransportError.Kind.unsupportedRequest`, with a message that names the
    ///   longest part.
    package func checkHeadSize(urlBytes: Int) throws(TransportError) {
        let sizes = headerFields.lazy.map { $0.name.rawName.utf8.count + $0.value.utf8.count + 4 }
        guard sizes.reduce(urlBytes, +) > Self.headLimit else { return }
        let longest = headerFields.max { $0.value.utf8.count < $1.value.utf8.count }
        let limit = "the limit for the URL and all header fields is \(Self.headLimit) bytes"
        guard let longest, longest.value.utf8.count > urlBytes else {
            throw TransportError(
                .unsupportedRequest,
                "its URL has \(urlBytes) bytes, but \(limit); move long values from the path or the Query to a Body"
            )
        }
        throw TransportError(
            .unsupportedRequest,
            "its Header \(longest.name) has \(longest.value.utf8.count) bytes, but \(limit); send it in a Body"
        )
    }
}
