import WaybillSystem

/// A complete request, ready for a transport: a plain value.
///
/// A `URL` prints all that is in it. The text of a request redacts the values of query items whose names are usually
/// secret, and of a request of a call also what its declaration makes secret, a part of the path included.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: Method

    /// The absolute URL, percent-encoded.
    ///
    /// A credential in the query is added only for the transport.
    public var url: URL

    /// The header fields, in the order in which they are sent.
    public var headerFields: HTTPFields

    /// The body; nil if the request has none.
    public var body: HTTPBody?

    /// The names and the parts of the path that the text of the request redacts, as its call declares them.
    package var secretNames = SecretNameSet.usual

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the absolute URL, percent-encoded.
    ///   - headerFields: the header fields, in the order in which they are sent.
    ///   - body: the body; nil for none.
    public init(method: Method, url: URL, headerFields: HTTPFields = [], body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
        self.body = body
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The request line and a line for each header field, with secrets redacted and without the body.
    public var description: String {
        (["\(method) \(shownURL)"] + shownFields.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
    }

    /// The parts of the request with secrets redacted, and the length of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["method": method, "url": shownURL, "headerFields": shownFields, "body": body as Any],
            displayStyle: .struct
        )
    }

    private var shownURL: String { Redaction.url(url, secretNames: secretNames) }

    private var shownFields: HTTPFields { Redaction.fields(headerFields, secretNames: secretNames) }
}
