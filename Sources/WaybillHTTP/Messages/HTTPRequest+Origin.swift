import WaybillSystem

extension HTTPRequest {
    /// The scheme, host and port of a URL (RFC 6454, section 4).
    public struct Origin: Sendable, Hashable, CustomStringConvertible {
        /// The lowercased scheme.
        public let scheme: String

        /// The lowercased host.
        public let host: String

        /// The port; by default, 443 for `https` and 80 for any other scheme.
        public let port: Int

        /// Creates the origin of an absolute URL; returns nil for a URL without a scheme or a host.
        ///
        /// - Parameter url: the URL; its path, query and fragment are ignored.
        public init?(_ url: URL) {
            guard let scheme = url.scheme?.asciiLowercased, let host = url.host?.asciiLowercased, !host.isEmpty else {
                return nil
            }
            self.scheme = scheme
            self.host = host
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }

        /// Compares the schemes and hosts by their bytes, and the ports.
        ///
        /// - Parameters:
        ///   - left: an origin.
        ///   - right: the origin to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: HTTPRequest.Origin, right: HTTPRequest.Origin) -> Bool {
            left.port == right.port && left.host.hasSameBytes(as: right.host)
                && left.scheme.hasSameBytes(as: right.scheme)
        }

        /// Hashes the values that `==` compares.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(BytewiseString(scheme))
            hasher.combine(BytewiseString(host))
            hasher.combine(port)
        }

        /// Creates the origin of an absolute URL; returns nil if the text is not an absolute URL.
        ///
        /// - Parameter text: the URL, such as `https://example.com/path`; its path is ignored.
        public init?(_ text: String) {
            guard let url = URL(string: text) else { return nil }
            self.init(url)
        }

        /// Whether the origin is on this machine: a loopback name or address, or a Unix domain socket.
        package var isLoopback: Bool {
            scheme == "http+unix" || host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
                || host == "[::1]" || host.hasPrefix("127.") && Self.isAddress(host)
        }

        /// Whether a host is an IP address: it contains a colon, or its last label is numeric, unlike that of any host
        /// name (RFC 3696, section 2).
        package static func isAddress(_ host: String) -> Bool {
            if host.utf8.contains(UInt8(ascii: ":")) { return true }
            let labels = host.utf8.split(separator: UInt8(ascii: "."))
            return labels.last?.allSatisfy { (0x30...0x39).contains($0) } ?? false
        }

        /// `scheme://host:port`, without the port if it is the scheme's default.
        public var description: String {
            let isDefault = port == (scheme == "https" ? 443 : 80)
            let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            return isDefault ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
        }
    }
}
