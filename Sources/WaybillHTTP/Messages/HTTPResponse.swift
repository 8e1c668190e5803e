import WaybillSystem

/// A response as a transport delivers it: the head at once, the body as it arrives.
///
/// It is a plain value. Its text redacts fields whose names are usually secret, such as `Set-Cookie`. A secret that the
/// server repeats in a field of another name is shown.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields as they arrived, with their order, duplicates and spelling if the transport knows them.
    public var headerFields: HTTPFields

    /// The body; empty if the response has none.
    public var body: HTTPBody

    /// The URL of the response, which after redirects is not that of the request; nil stands for the latter.
    public var url: URL?

    /// The number of the transfer in its call that brought the response; nil for one that a middleware has made.
    package var transferNumber: Int?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headerFields: the header fields.
    ///   - body: the body.
    ///   - url: the URL of the response; nil stands for that of the request.
    public init(status: Status, headerFields: HTTPFields = [], body: HTTPBody = HTTPBody(), url: URL? = nil) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.url = url
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and a line for each header field, with secrets redacted and without the body.
    public var description: String { headerFields.isEmpty ? "\(status)" : "\(status)\n\(headerFields)" }

    /// The parts of the response with secrets redacted, and the length of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "headerFields": headerFields, "body": body,
                "url": url.map {
                    // Mostly the target of a redirect.
                    Redaction.url(text: $0.absoluteString, secretNames: .usual, isRedirect: true)
                } as Any,
            ],
            displayStyle: .struct
        )
    }
}

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
