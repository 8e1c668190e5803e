import WaybillHTTP

extension HTTPRequest {
    /// The maximum size of a request's URL and header fields together, in bytes.
    ///
    /// Servers accept about 8,000 bytes; libcurl, which `URLSession` uses on Linux too, builds heads of up to 1 MiB.
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
        let limit = "the URL and the header fields may have at most \(Self.headLimit) bytes"
        guard let longest, longest.value.utf8.count > urlBytes else {
            throw TransportError(
                .unsupportedRequest,
                "its URL has \(urlBytes) bytes, and \(limit); send what makes its path or its Query long in a Body"
            )
        }
        throw TransportError(
            .unsupportedRequest,
            "its Header \(longest.name) has \(longest.value.utf8.count) bytes, and \(limit); send it in a Body"
        )
    }
}
