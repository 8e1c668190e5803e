import WaybillSystem

/// A complete request, ready for a transport.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: Method

    /// The absolute URL, percent-encoded.
    ///
    /// Its texts leave secrets out. A middleware reads and changes the URL itself by ``HTTPURL/value``; a credential in
    /// the query is added only for the transport.
    public var url: HTTPURL {
        get { HTTPURL(storedURL, redaction: redaction) }
        set { storedURL = newValue.value }
    }

    /// The declared path with each value replaced by `{}`, such as `products/{}/reviews`, or the name of the call.
    ///
    /// Logs, metrics and stubs use it as a key; it is not sent.
    public var template: String

    /// The header fields, in the order in which they are sent.
    ///
    /// Their texts leave out secrets, including those that the call declares; the values themselves can be read and
    /// changed.
    public var headerFields: HTTPFields {
        get { storedFields.adopting(redaction) }
        _modify { yield &storedFields }
        set { storedFields = newValue.leaving(redaction) }
    }

    // Secrets are added to the parts when these are read: a request is copied at each of its steps.
    private var storedURL: URL
    private var storedFields: HTTPFields

    /// The body; nil if the request has none.
    public var body: HTTPBody?

    /// A handle that pauses the request and tells its progress, if the transport can do that.
    public var control: TransferControl?

    /// The time limit that the call declares; nil if it declares none.
    ///
    /// A transport's own limits on silence yield to a longer one: see ``silenceLimit(_:)``.
    public var timeLimit: TimeLimit?

    /// The number of the attempt of the call, counted from 1.
    package var attempt = 1

    /// Whether the metrics of the request will be read; if not, a transport need not measure it.
    ///
    /// Set if a call is observed. See ``HTTPResponse/metrics``.
    public var isMeasured = false

    /// The part of a resumable upload that the request sends; nil for any other request.
    package var uploadPart: UploadPart?

    /// The secrets that texts leave out; nil for a request outside a call, whose texts leave out the usual secrets.
    package var redaction: (any TextRedaction)?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the absolute URL, percent-encoded.
    ///   - template: the declared path or the name of the call; nil stands for the URL's path.
    ///   - headerFields: the header fields, in the order in which they are sent.
    ///   - body: the body; nil for none.
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
}

extension HTTPRequest {
    /// A declared time limit of a whole call.
    public enum TimeLimit: Sendable, Hashable {
        /// The time from the start of the call to the last byte of its response.
        case duration(Duration)
        /// The call may take any time.
        case none
    }

    /// Returns the time for which a connection of this request may be silent.
    ///
    /// A response that is declared to take 70 seconds, such as that of a long poll, must not end after the 60 seconds
    /// that a transport allows by itself.
    ///
    /// - Parameter limit: the transport's own limit; nil for none.
    /// - Returns: the longer one of the own limit and the declared one; nil if one of them is missing.
    public func silenceLimit(_ limit: Duration?) -> Duration? { Self.silenceLimit(limit, declared: timeLimit) }

    /// Returns the time for which a connection may be silent with a declared time limit.
    package static func silenceLimit(_ limit: Duration?, declared: TimeLimit?) -> Duration? {
        switch (limit, declared) {
        case (nil, _), (_, TimeLimit.none?): nil
        case (let limit?, .duration(let declared)?): max(limit, declared)
        case (let limit?, nil): limit
        }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The request line and a line for each header field, with secrets redacted and without the body.
    public var description: String {
        headerFields.isEmpty ? "\(method) \(url)" : "\(method) \(url)\n\(headerFields)"
    }

    /// The parts of the request with secrets redacted, and the length of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url, "template": template, "headerFields": headerFields, "body": body as Any,
            ],
            displayStyle: .struct
        )
    }
}
