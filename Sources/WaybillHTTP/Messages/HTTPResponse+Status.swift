extension HTTPResponse {
    /// A response status: the code, and the reason phrase if the server sent one (RFC 9110, section 15).
    ///
    /// Statuses with equal codes are equal. A status can be written as its code:
    ///
    /// ```swift
    /// if response.status == 404 { showEmpty() }
    /// ```
    public struct Status: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
        /// The code, which has three digits in a valid response.
        public let code: Int

        /// The reason phrase sent by the server; empty if it sent no phrase, as in HTTP/2.
        public let reasonPhrase: String

        /// Creates a status.
        ///
        /// A code outside 100...599 is preserved; its kind is ``Kind/invalid``.
        ///
        /// - Parameters:
        ///   - code: the code.
        ///   - reasonPhrase: the reason phrase sent by the server.
        public init(code: Int, reasonPhrase: String = "") {
            self.code = code
            self.reasonPhrase = reasonPhrase
        }

        /// Creates a status from its code.
        ///
        /// - Parameter code: the code; one outside 100...599 is preserved.
        public init(integerLiteral code: Int) { self.init(code: code) }

        /// Compares the codes.
        ///
        /// - Parameters:
        ///   - left: a status.
        ///   - right: the status to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: Status, right: Status) -> Bool { left.code == right.code }

        /// Hashes the code.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) { hasher.combine(code) }

        /// The code and its registered phrase; for an unregistered code, the server's phrase.
        public var description: String {
            let phrase = Self.registeredPhrases[code] ?? reasonPhrase
            return phrase.isEmpty ? "\(code)" : "\(code) \(phrase)"
        }

        /// The server's reason phrase if the code is registered but the phrase is not known for it; otherwise nil.
        ///
        /// The server controls the text, which may repeat a secret from the request.
        package var unusualPhrase: String? {
            guard let registered = Self.registeredPhrases[code], !reasonPhrase.isEmpty else { return nil }
            let usual = [registered] + (Self.equivalentPhrases[code] ?? [])
            return usual.contains { $0.asciiLowercased == reasonPhrase.asciiLowercased } ? nil : reasonPhrase
        }
    }
}

extension HTTPResponse.Status {
    /// The class of a status, determined by its first digit (RFC 9110, section 15).
    public enum Kind: Sendable, Hashable {
        /// 1xx: a final response follows.
        case informational
        /// 2xx.
        case successful
        /// 3xx.
        case redirection
        /// 4xx: the request is at fault.
        case clientError
        /// 5xx: the server is at fault.
        case serverError
        /// Any code outside 100...599.
        case invalid
    }

    /// The class of the status.
    public var kind: Kind {
        switch code {
        case 100..<200: .informational
        case 200..<300: .successful
        case 300..<400: .redirection
        case 400..<500: .clientError
        case 500..<600: .serverError
        default: .invalid
        }
    }

    /// Phrases from earlier RFCs and common servers that are equivalent to the registered ones.
    private static let equivalentPhrases: [Int: [String]] = [
        302: ["Moved Temporarily"], 413: ["Request Entity Too Large", "Payload Too Large"],
        414: ["Request-URI Too Long", "Request-URI Too Large"], 416: ["Requested Range Not Satisfiable"],
        422: ["Unprocessable Entity"], 500: ["Server Error"],
        503: ["Service Temporarily Unavailable", "Server Unavailable"], 504: ["Gateway Time-out"],
        408: ["Request Time-out", "Request Timed Out"],
    ]

    /// Reason phrases from the IANA registry of HTTP status codes, for descriptions.
    private static let registeredPhrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 300: "Multiple Choices",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage", 508: "Loop Detected",
        511: "Network Authentication Required",
    ]
}
