extension HTTPRequest {
    /// A request method (RFC 9110, section 9): a case-sensitive token.
    ///
    /// A method that is not a token cannot be constructed, so none can carry a line break into a request.
    public struct Method: Sendable, Hashable, CustomStringConvertible {
        /// The method in the spelling in which it is sent.
        public let rawValue: String

        /// Creates a method; nil if the text is not a token (RFC 9110, section 5.6.2).
        public init?(_ method: String) {
            guard Token.isValid(method) else { return nil }
            rawValue = method
        }

        private init(token: String) { rawValue = token }

        /// The method in the spelling in which it is sent.
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
    /// `QUERY`, RFC 10008: safe like GET, with a body that says what is asked.
    public static let query = Self(token: "QUERY")

    /// Whether the method is defined to change nothing on the server (RFC 9110, section 9.2.1; RFC 10008).
    public var isSafe: Bool { [.get, .head, .options, .trace, .query].contains(self) }

    /// Whether several requests have the same effect as one (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
