#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The target of a request in the form required by libcurl.
    struct CurlTarget: Sendable {
        /// The URL with the scheme `http` or `https`.
        let url: String

        /// The scheme and the authority; requests with equal ones can share connections.
        let origin: String

        /// The host and its port, or the socket's path, for error messages.
        let host: String

        /// Whether the request uses TLS.
        let isSecure: Bool

        /// The path of the Unix domain socket; nil if the target is not a socket.
        let socketPath: String?

        /// Parses a URL.
        ///
        /// - Parameter url: the URL.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unsupportedRequest` if the URL is not an HTTP URL,
        ///   or contains a user or a password.
        init(_ url: URL) throws(TransportError) {
            let text = url.absoluteString
            guard let separator = Self.separator(in: text) else {
                throw TransportError(.unsupportedRequest, "the URL has no scheme or no host")
            }
            let scheme = text[..<separator].asciiLowercased
            let start = text.utf8.index(separator, offsetBy: 3)
            let end = text.utf8[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? text.endIndex
            let authority = text[start..<end]
            guard !authority.isEmpty, !authority.hasPrefix(":") else {
                throw TransportError(.unsupportedRequest, "the URL has no host")
            }
            if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
                throw TransportError(
                    .unsupportedRequest,
                    "the URL of \(authority[authority.index(after: at)...]) has a user or a password; send an Authorization field instead"
                )
            }
            switch scheme {
            case "http", "https":
                self.url = text
                origin = text[..<end].asciiLowercased
                host = String(authority)
                isSecure = scheme == "https"
                socketPath = nil
            case "http+unix":
                guard let path = PercentEncoding.decode(authority), path.hasPrefix("/") else {
                    throw TransportError(
                        .unsupportedRequest,
                        "the host of an http+unix URL is a socket's absolute path with / as %2F, not \(authority)"
                    )
                }
                try Self.check(socketPath: path)
                self.url = "http://localhost" + text[end...]
                origin = "unix:" + path
                host = path
                isSecure = false
                socketPath = path
            default:
                throw TransportError(
                    .unsupportedRequest,
                    "the URL's scheme is \"\(scheme)\"; it must be http, https or http+unix"
                )
            }
        }

        /// The maximum length of a socket's path that fits into a socket address, in bytes (unix(7)).
        private static let socketPathLimit = 107

        private static func check(socketPath path: String) throws(TransportError) {
            guard path.utf8.count <= socketPathLimit else {
                throw TransportError(
                    .unsupportedRequest,
                    "the socket's path has \(path.utf8.count) bytes, but the limit is \(socketPathLimit); "
                        + "use a shorter path than \(path)"
                )
            }
            guard !path.utf8.contains(0) else {
                throw TransportError(.unsupportedRequest, "the socket's path contains a zero byte")
            }
        }

        /// Returns the index of the `://` that ends the scheme; nil if the text does not start with a scheme.
        private static func separator(in text: String) -> String.Index? {
            guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
                text.utf8[colon...].starts(with: "://".utf8)
            else { return nil }
            return colon
        }
    }
#endif
