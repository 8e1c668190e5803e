import Foundation

/// A request as a transport sends it: everything about it is decided.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: Method

    /// The absolute URL, percent-encoded.
    public var url: URL

    /// The path as it was declared, each value replaced by `{}`: `products/{}/reviews`.
    ///
    /// Logs, metrics and stubs key on it; it is not sent.
    public var template: String

    /// The header fields, in the order in which they go out.
    public var headerFields: HTTPFields

    /// The body, or nil where the request has none.
    public var body: HTTPBody?

    /// A handle with which the request is paused on its way, where the transport can do that.
    public var control: TransferControl?

    /// Whether somebody wants to know how the request goes over the network; a transport need not measure it otherwise.
    ///
    /// Set where a call is observed. See ``HTTPResponse/metrics``.
    public var isMeasured = false

    /// Which attempt of its call this is, counted from 1.
    package var attempt = 1

    /// A credential that is put into each request to its origin, below redirects.
    package var credential: RequestCredential?

    /// Whether a redirect has led it to another origin: whoever is there has chosen where it goes from then on.
    package var hasLeftOrigin = false

    /// The names whose values are left out of the description.
    package var secretNames = SecretNameSet.usual

    /// Creates a request.
    ///
    /// Without a template, the URL's path stands for it.
    public init(
        method: Method,
        url: URL,
        template: String? = nil,
        headerFields: HTTPFields = [],
        body: HTTPBody? = nil
    ) {
        self.method = method
        self.url = url
        self.template = template ?? url.path
        self.headerFields = headerFields
        self.body = body
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// The request line and a line for each header field, secrets redacted; the body is not shown.
    public var description: String {
        let fields = headerFields.map { "\n\($0.name): \(Redaction.value(of: $0, secretNames: secretNames))" }
        return "\(method) \(Redaction.url(url, secretNames: secretNames))" + fields.joined()
    }
}
