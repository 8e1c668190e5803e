import WaybillSystem

/// A response as delivered by a transport: the head at once, the body as it arrives.
///
/// The description redacts fields that usually contain secrets, such as `Set-Cookie`. It does not redact a secret that
/// the server repeats in another field.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields in arrival order, with duplicates and capitalization preserved if the transport provides them.
    public var headerFields: HTTPFields

    /// The body; empty if the response has none.
    public var body: HTTPBody

    /// The URL of the response, which differs from the request's after redirects; nil means the URL of the request.
    public var url: URL?

    /// The number, within the call, of the transfer that delivered the response; nil if a middleware created it.
    package var transferNumber: Int?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headerFields: the header fields.
    ///   - body: the body.
    ///   - url: the URL of the response; nil means the URL of the request.
    public init(status: Status, headerFields: HTTPFields = [], body: HTTPBody = HTTPBody(), url: URL? = nil) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.url = url
    }
}

extension HTTPResponse: CustomStringConvertible, PartlyShown {
    /// The status and one line per header field, with secrets redacted; the body is omitted.
    public var description: String { headerFields.isEmpty ? "\(status)" : "\(status)\n\(headerFields)" }

    /// The parts of the response with secrets redacted, and the length of the body.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "status": status, "headerFields": headerFields, "body": body,
            "url": url.map {
                // Usually the target of a redirect.
                Redaction.url(text: $0.absoluteString, secretNames: .usual, isRedirect: true)
            } as Any,
        ]
    }
}

extension HTTPResponse {
    /// The maximum number of bytes read from a body that will be discarded.
    package static var discardedBodyLimit: Int { 16 * 1024 }

    /// Reads the rest of an unwanted body if it is short.
    ///
    /// The connection can be reused only after the body has been read to its end. If the body is long, or its length is
    /// unknown, a new connection is cheaper than waiting: the caller drops the body unread, which stops the transfer.
    /// Errors are ignored.
    package func discardBody() async {
        // Some transports provide the length only in `Content-Length`.
        let length = body.length ?? headerFields[.contentLength].flatMap { Int($0) }
        guard body.bytes == nil, let length, length <= Self.discardedBodyLimit else { return }
        _ = try? await body.collect(upTo: Self.discardedBodyLimit)
    }
}
