import WaybillSystem

extension CookieJar {
    /// A cookie with the rules for sending it (RFC 6265bis, section 5.7).
    ///
    /// It is `Codable`, so that an app can keep it in a place of its own, such as the keychain. Its value is a secret:
    /// encoded it is there, and in no other text.
    ///
    /// ```swift
    /// jar.insert(CookieJar.Cookie("theme", "dark", domain: "shop.example"))
    /// ```
    public struct Cookie: Sendable, Hashable, Codable {
        /// The sites from which a cookie is sent (RFC 6265bis, section 5.6.7).
        public enum SameSite: String, Sendable, Hashable, Codable {
            /// The cookie's own site alone.
            case strict
            /// The cookie's own site, and others for requests that change nothing; so is a cookie that does not say.
            case lax
            /// All sites.
            case none
        }

        /// The name; empty for a cookie that has none.
        public var name: String

        /// The value, which is a secret.
        public var value: String

        /// The host that set the cookie, or the domain that it named, in lower case.
        public var domain: String

        /// Whether it is sent to that host alone, and not to those below it.
        public var isHostOnly: Bool

        /// The path at which, and below which, it is sent.
        public var path: String

        /// The date at which it ends; nil for a cookie of a session.
        public var expires: Date?

        /// Whether it is sent over encrypted connections alone.
        public var isSecure: Bool

        /// Whether the server keeps it from scripts; it is sent all the same.
        public var isHTTPOnly: Bool

        /// The sites from which it is sent; nil if the server does not say, which means `lax`.
        public var sameSite: SameSite?

        /// Creates a cookie.
        ///
        /// ``CookieJar/insert(_:)`` checks it, since its properties can change, and it can be decoded from other data.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - value: the value.
        ///   - domain: the host, or the domain; one with a dot before it is taken without the dot.
        ///   - isHostOnly: whether it is sent to that host alone.
        ///   - path: the path at which, and below which, it is sent.
        ///   - expires: the date at which it ends; nil for a cookie of a session.
        ///   - isSecure: whether it is sent over encrypted connections alone.
        ///   - isHTTPOnly: whether the server keeps it from scripts.
        ///   - sameSite: the sites from which it is sent.
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
    /// The name and the value, as `Cookie` has them.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Returns the reason for which it would not be sent as this one cookie; nil if it would.
    ///
    /// - Parameter isServers: whether a server may have set it: a space within the name, and a `=` in the value of a
    ///   cookie without a name, are valid then.
    /// - Returns: the reason.
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

    /// Whether it has ended.
    func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Whether another cookie takes its place.
    func isReplaced(by other: Self) -> Bool {
        name.hasSameBytes(as: other.name) && domain.hasSameBytes(as: other.domain) && isHostOnly == other.isHostOnly
            && path.hasSameBytes(as: other.path)
    }

    /// Whether a path is the cookie's or lies below it (RFC 6265bis, section 5.1.4).
    func matches(path other: String) -> Bool {
        guard other.utf8.starts(with: path.utf8) else { return false }
        let rest = other.utf8.dropFirst(path.utf8.count)
        return rest.isEmpty || path.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }
}

extension CookieJar.Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, the domain and the path, without the value.
    public var description: String { "\(name)=\(Redaction.mark) for \(isHostOnly ? "" : "*.")\(domain)\(path)" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// All but the value.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name, "domain": domain, "isHostOnly": isHostOnly, "path": path, "expires": expires as Any,
                "isSecure": isSecure, "isHTTPOnly": isHTTPOnly, "sameSite": sameSite as Any,
            ],
            displayStyle: .struct
        )
    }
}
