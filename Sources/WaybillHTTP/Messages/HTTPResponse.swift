import WaybillSystem

/// A response from a transport: the complete head, and a body that may still be arriving.
///
/// The description redacts fields that usually contain secrets, such as `Set-Cookie`, but not secrets that the server
/// repeats in other fields.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields in arrival order, with duplicates and capitalization if the transport preserves them.
    public var headerFields: HTTPFields

    /// The body; empty if the response has none.
    public var body: HTTPBody

    /// The URL of the response, which differs from the request's after redirects; nil if it is the request's.
    public var url: URL?

    /// The number of the transfer within the call; nil if middleware created the response.
    package var transferNumber: Int?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headerFields: the header fields.
    ///   - body: the body.
    ///   - url: the URL of the response; nil if it is the request's.
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
    /// The maximum length of an unwanted body that is read rather than abandoned, in bytes.
    package static var discardedBodyLimit: Int { 16 * 1024 }

    /// Reads the rest of an unwanted body if it is short.
    ///
    /// The connection can be reused only after the body has been read to its end. If the body is long, or its length is
    /// unknown, a new connection is cheaper: the body stays unread, and releasing it stops the transfer. Errors are
    /// ignored.
    package func discardBody() async {
        // Some transports provide the length only as `Content-Length`.
        let length = body.length ?? headerFields[.contentLength].flatMap { Int($0) }
        guard body.bytes == nil, let length, length <= Self.discardedBodyLimit else { return }
        _ = try? await body.collect(upTo: Self.discardedBodyLimit)
    }
}
