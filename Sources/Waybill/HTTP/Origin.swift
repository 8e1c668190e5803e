import Foundation

/// Where a request goes, for what must not cross it: scheme, host and port (RFC 6454, section 4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme in lower case.
    public let scheme: String

    /// The host in lower case.
    public let host: String

    /// The port; the scheme's own where the URL names none.
    public let port: Int

    /// The origin of an absolute URL, or nil for a URL without a scheme or a host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.asciiLowercased, let host = url.host?.asciiLowercased, !host.isEmpty else {
            return nil
        }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Compares scheme and host by their bytes, and the port.
    public static func == (left: Origin, right: Origin) -> Bool {
        left.port == right.port && left.host.hasSameBytes(as: right.host) && left.scheme.hasSameBytes(as: right.scheme)
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(BytewiseString(scheme))
        hasher.combine(BytewiseString(host))
        hasher.combine(port)
    }

    /// The origin of an absolute URL given as text, or nil where it is not one.
    public init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.init(url)
    }

    /// `scheme://host:port`, without the port where it is the scheme's own.
    public var description: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return isDefault ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
