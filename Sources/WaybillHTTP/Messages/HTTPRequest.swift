import WaybillSystem

/// A complete request, ready to be sent by a transport.
///
/// Unlike the description of its `URL`, the description of a request redacts the values of query items whose names
/// usually indicate a secret. For the request of a call, it also redacts everything that the call's declaration marks
/// as secret, including parts of the path.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: Method

    /// The absolute, percent-encoded URL.
    ///
    /// If a credential belongs in the query, it is added only when the request is passed to the transport.
    public var url: URL

    /// The header fields, in the order in which they are sent.
    public var headerFields: HTTPFields

    /// The body; nil if the request has none.
    public var body: HTTPBody?

    /// The secret names and values, which the request's description redacts.
    package var secretNames = SecretNameSet.usual

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - url: the absolute, percent-encoded URL.
    ///   - headerFields: the header fields, in the order in which they are sent.
    ///   - body: the body; nil for none.
    public init(method: Method, url: URL, headerFields: HTTPFields = [], body: HTTPBody? = nil) {
        self.method = method
        self.url = url
        self.headerFields = headerFields
        self.body = body
    }
}

extension HTTPRequest: CustomStringConvertible, PartlyShown {
    /// The method, the URL and one line per header field, with secrets redacted; the body is omitted.
    public var description: String {
        (["\(method) \(shownURL)"] + shownFields.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
    }

    /// The parts of the request with secrets redacted, and the length of the body.
    package var shownParts: KeyValuePairs<String, Any> {
        ["method": method, "url": shownURL, "headerFields": shownFields, "body": body as Any]
    }

    private var shownURL: String { Redaction.url(url, secretNames: secretNames) }

    private var shownFields: HTTPFields { Redaction.fields(headerFields, secretNames: secretNames) }
}

extension HTTPRequest {
    /// A request method (RFC 9110, section 9): a case-sensitive token.
    ///
    /// Only tokens can be methods, so a method never contains a line break.
    public struct Method: Sendable, Hashable, CustomStringConvertible {
        /// The method as it is sent.
        public let rawValue: String

        /// Creates a method; returns nil if the text is not a token (RFC 9110, section 5.6.2).
        ///
        /// - Parameter method: the method as it is sent; methods are case-sensitive.
        public init?(_ method: String) {
            guard Token.isValid(method) else { return nil }
            rawValue = method
        }

        private init(token: String) { rawValue = token }

        /// The method as it is sent.
        public var description: String { rawValue }
    }
}

extension HTTPRequest.Method {
    /// `GET`, RFC 9110, section 9.3.1.
    public static let get = Self(token: "GET")
    /// `HEAD`, RFC 9110, section 9.3.2.
    public static let head = Self(token: "HEAD")
    /// `POST`, RFC 9110, section 9.3.3.
    public static let post = Self(token: "POST")
    /// `PUT`, RFC 9110, section 9.3.4.
    public static let put = Self(token: "PUT")
    /// `DELETE`, RFC 9110, section 9.3.5.
    public static let delete = Self(token: "DELETE")
    /// `CONNECT`, RFC 9110, section 9.3.6.
    public static let connect = Self(token: "CONNECT")
    /// `OPTIONS`, RFC 9110, section 9.3.7.
    public static let options = Self(token: "OPTIONS")
    /// `TRACE`, RFC 9110, section 9.3.8.
    public static let trace = Self(token: "TRACE")
    /// `PATCH`, RFC 5789.
    public static let patch = Self(token: "PATCH")
    /// `QUERY`, RFC 10008: safe like GET, with the query in the body.
    public static let query = Self(token: "QUERY")

    /// Whether the method is defined to change nothing on the server (RFC 9110, section 9.2.1; RFC 10008).
    public var isSafe: Bool { [.get, .head, .options, .trace, .query].contains(self) }

    /// Whether several identical requests have the same effect as one (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
