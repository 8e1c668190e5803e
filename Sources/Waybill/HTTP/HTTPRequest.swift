import Foundation

/// A request as a transport sends it: everything about it is decided.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: Method

    /// The absolute URL, percent-encoded.
    ///
    /// Its texts leave secrets out. A middleware reads and changes the URL itself by ``HTTPURL/value``; a credential of
    /// the query is in it only where a transport gets the request.
    public var url: HTTPURL {
        get { HTTPURL(storedURL, secrets: secrets) }
        set { storedURL = newValue.value }
    }

    /// The path as it was declared, each value replaced by `{}`: `products/{}/reviews`.
    ///
    /// Logs, metrics and stubs key on it; it is not sent.
    public var template: String

    /// The header fields, in the order in which they go out.
    ///
    /// Their texts leave secrets out, those that the call declares too; the values are there to be read and changed.
    public var headerFields: HTTPFields {
        get { storedFields.adopting(secrets) }
        _modify { yield &storedFields }
        set { storedFields = newValue.leaving(secrets) }
    }

    // What the parts know of secrets is added when they are read: a request is copied at each of its steps.
    private var storedURL: URL
    private var storedFields: HTTPFields

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

    /// The names whose values texts leave out.
    package var secretNames: SecretNameSet {
        get { secrets?.names ?? .usual }
        set { secrets = ExtendedSecrets(newValue, base: secrets) }
    }

    /// The secrets of the call; nil for a request that is none's, of which the usual ones are left out.
    package private(set) var secrets: (any CallSecrets)?

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
        storedURL = url
        self.template = template ?? url.path
        storedFields = headerFields
        self.body = body
    }

    /// Creates the request of a call.
    package init(
        method: Method,
        url: HTTPURL,
        template: String,
        headerFields: HTTPFields,
        body: HTTPBody?,
        secrets: any CallSecrets
    ) {
        self.method = method
        storedURL = url.value
        self.template = template
        storedFields = headerFields.leaving(secrets)
        self.body = body
        self.secrets = secrets
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The request line and a line for each header field, secrets redacted; the body is not shown.
    public var description: String {
        headerFields.isEmpty ? "\(method) \(url)" : "\(method) \(url)\n\(headerFields)"
    }

    /// The parts of the request, secrets redacted, and the length of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url, "template": template, "headerFields": headerFields, "body": body as Any,
                "attempt": attempt,
            ],
            displayStyle: .struct
        )
    }
}
