import Waybill
import WaybillSystem

extension CookieJar {
    /// A cookie and the rules for sending it (RFC 6265bis, section 5.7).
    ///
    /// Cookies are `Codable`, so an app can store them elsewhere, for example in the keychain. The value is secret: it
    /// is encoded, but omitted from descriptions.
    ///
    /// ```swift
    /// jar.insert(CookieJar.Cookie("theme", "dark", domain: "shop.example"))
    /// ```
    public struct Cookie: Sendable, Hashable, Codable {
        /// The sites whose requests include a cookie (RFC 6265bis, section 5.6.7).
        public enum SameSite: String, Sendable, Hashable, Codable {
            /// Only the cookie's site.
            case strict
            /// The cookie's site, and other sites for safe methods. This is also the default.
            case lax
            /// All sites.
            case none
        }

        /// The name; empty for a cookie without a name.
        public var name: String

        /// The value, which is secret.
        public var value: String

        /// The host that set the cookie, or the domain specified by that host, in lowercase.
        public var domain: String

        /// Whether the cookie is sent only to the host in `domain`, not to its subdomains.
        public var isHostOnly: Bool

        /// The path prefix of the URLs to which the cookie is sent.
        public var path: String

        /// The expiry date; nil for a session cookie.
        public var expires: Date?

        /// Whether the cookie is sent only over encrypted connections or to the local machine.
        public var isSecure: Bool

        /// Whether the server hides the cookie from scripts; the cookie is still sent.
        public var isHTTPOnly: Bool

        /// The sites whose requests include the cookie; nil if unspecified, which means `lax`.
        public var sameSite: SameSite?

        /// Creates a cookie without validating it.
        ///
        /// ``CookieJar/insert(_:)`` validates the cookie, since its properties can also be mutated or decoded.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - value: the value.
        ///   - domain: the host or the domain; a leading dot is removed.
        ///   - isHostOnly: whether the cookie is sent only to that host, not to its subdomains.
        ///   - path: the path prefix of the URLs to which the cookie is sent.
        ///   - expires: the expiry date; nil for a session cookie.
        ///   - isSecure: whether the cookie is sent only over encrypted connections or to the local machine.
        ///   - isHTTPOnly: whether the server hides the cookie from scripts.
        ///   - sameSite: the sites whose requests include the cookie; nil if unspecified.
        public init(
            _ name: String,
            _ value: String,
            domain: String,
            isHostOnly: Bool = true,
            path: String = "/",
            expires: Date? = nil,
            isSecure: Bool = false,
            isHTTPOnly: Bool = false,
            sameSite: SameSite? = nil
        ) {
            self.name = name
            self.value = value
            self.domain = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).asciiLowercased
            self.isHostOnly = isHostOnly
            self.path = path
            self.expires = expires
            self.isSecure = isSecure
            self.isHTTPOnly = isHTTPOnly
            self.sameSite = sameSite
        }
    }
}

extension CookieJar.Cookie {
    /// The name and the value, as they appear in the `Cookie` field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Returns the reason to reject the cookie; nil if it is valid.
    ///
    /// - Parameter isServers: whether a server may have set the cookie. If so, a space within the name and a `=` in the
    ///   value of a nameless cookie are valid.
    /// - Returns: the reason; nil if the cookie is valid.
    func rejection(isServers: Bool) -> CookieJar.Rejection.Reason? {
        if name.isEmpty, value.isEmpty { return .empty }
        guard name.utf8.count + value.utf8.count <= SetCookie.mostBytes else { return .tooLong }
        let bytes = Array(name.utf8) + Array(value.utf8)
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return .controlCharacter }
        let space = " \t".utf8
        let endsInSpace = [name.utf8.first, name.utf8.last].contains { $0.map(space.contains) ?? false }
        if bytes.contains(UInt8(ascii: ";")) || name.utf8.contains(UInt8(ascii: "=")) || endsInSpace {
            return .separator
        }
        guard !isServers else { return nil }
        let hasOtherName = name.isEmpty && value.utf8.contains(UInt8(ascii: "="))
        return hasOtherName || name.utf8.contains(where: space.contains) ? .separator : nil
    }

    /// Whether the cookie has expired.
    func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Whether another cookie replaces this one.
    func isReplaced(by other: Self) -> Bool {
        name.hasSameBytes(as: other.name) && domain.hasSameBytes(as: other.domain) && isHostOnly == other.isHostOnly
            && path.hasSameBytes(as: other.path)
    }

    /// Whether a path equals the cookie's path or is below it (RFC 6265bis, section 5.1.4).
    func matches(path other: String) -> Bool {
        guard other.utf8.starts(with: path.utf8) else { return false }
        let rest = other.utf8.dropFirst(path.utf8.count)
        return rest.isEmpty || path.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }
}

extension CookieJar.Cookie: CustomStringConvertible, CustomDebugStringConvertible, PartlyShown {
    /// The name, the domain and the path; the value is redacted.
    public var description: String { "\(name)=\(Redaction.mark) for \(isHostOnly ? "" : "*.")\(domain)\(path)" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// All properties except the value.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "name": name, "domain": domain, "isHostOnly": isHostOnly, "path": path, "expires": expires as Any,
            "isSecure": isSecure, "isHTTPOnly": isHTTPOnly, "sameSite": sameSite as Any,
        ]
    }
}
