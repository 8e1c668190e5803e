extension CookieJar {
    /// A cookie that the jar does not keep; an observer sees that of a server as `CallEvent.Kind.cookieRejected(_:)`.
    public struct Rejection: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reasons for which a cookie is not kept (RFC 6265bis, sections 5.6 and 5.7).
        public enum Reason: Error, Sendable, Hashable, CaseIterable {
            /// It has neither a name nor a value.
            case empty
            /// It has a control character.
            case controlCharacter
            /// Its value has a `;`, or its name a `;`, a `=` or a space: a server would read other cookies in it. So it
            /// would if there is no name and the value has a `=`.
            case separator
            /// Its name and its value have more than 4096 bytes together.
            case tooLong
            /// It names a domain to which the server does not belong.
            case foreignDomain
            /// It names a domain of one label, or one of the jar's public suffixes.
            case publicSuffix
            /// It is `Secure`, and the connection is not encrypted.
            case insecureConnection
            /// It would hide a `Secure` cookie, and the connection is not encrypted.
            case hidesSecureCookie
            /// It is `SameSite=None` without `Secure`.
            case sameSiteNoneWithoutSecure
            /// It is not for other sites, and the request that changes something came from another one.
            case otherSite
            /// Its name begins with `__Secure-` or `__Host-`, whose rules it does not meet.
            case prefix
        }

        /// The name of the cookie; empty if it has none.
        public let name: String

        /// The reason for which it is not kept.
        public let reason: Reason

        /// Creates a rejection, for tests of an observer.
        public init(name: String, reason: Reason) {
            self.name = name
            self.reason = reason
        }

        /// The name and the reason.
        public var description: String { "the cookie \(name.debugDescription) was rejected: \(reason)" }
    }
}

extension CookieJar.Rejection.Reason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .empty: "it has neither a name nor a value"
        case .controlCharacter: "it has a control character"
        case .separator:
            "its value has a ; or its name a ;, = or space, so that servers would read other cookies in it; encode the"
                + " value, for example in percent-encoding"
        case .tooLong: "it has more than \(SetCookie.mostBytes) bytes"
        case .foreignDomain: "its Domain is not one of the server's"
        case .publicSuffix: "its Domain is a public suffix, below which others have domains too"
        case .insecureConnection: "it is Secure, and the connection is not encrypted"
        case .hidesSecureCookie: "it would hide a Secure cookie, and the connection is not encrypted"
        case .sameSiteNoneWithoutSecure: "it is SameSite=None, which needs Secure"
        case .otherSite: "it is not for other sites, and the request came from one"
        case .prefix: "its name has the prefix __Secure- or __Host-, whose rules it does not meet"
        }
    }
}
