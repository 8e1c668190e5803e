import Waybill

extension CookieJar {
    /// The rejection of a cookie, with the reason.
    ///
    /// If a server set the cookie, observers receive the rejection in a `CallEvent.Kind.noted(_:)`.
    public struct Rejection: Error, CallEvent.Note, Hashable {
        /// `cookieRejected`.
        public static let name = "cookieRejected"

        /// The reasons to reject a cookie (RFC 6265bis, sections 5.6 and 5.7).
        public enum Reason: Error, Sendable, Hashable, CaseIterable {
            /// The cookie has neither a name nor a value.
            case empty
            /// The cookie contains a control character.
            case controlCharacter
            /// A separator in the name or value could make a server parse the cookie as a different one or as several.
            ///
            /// Examples are a `;`, a `=` or a space in the name, and a `=` in the value of a nameless cookie.
            case separator
            /// The name and the value together exceed 4096 bytes.
            case tooLong
            /// The `Domain` attribute does not match the server's host.
            case foreignDomain
            /// The `Domain` attribute is a single label or one of the jar's public suffixes.
            case publicSuffix
            /// The cookie is `Secure`, but the connection is neither encrypted nor local.
            case insecureConnection
            /// The cookie would hide a `Secure` cookie, and the connection is neither encrypted nor local.
            case hidesSecureCookie
            /// The cookie is `SameSite=None` without `Secure`.
            case sameSiteNoneWithoutSecure
            /// The cookie is not `SameSite=None`, but was set by the response to an unsafe request to another site.
            case otherSite
            /// The name starts with `__Secure-` or `__Host-`, but the cookie violates that prefix's rules.
            case prefix
        }

        /// The name of the cookie; empty for a nameless one.
        public let name: String

        /// The reason for the rejection.
        public let reason: Reason

        /// Creates a rejection, for testing observers.
        ///
        /// - Parameters:
        ///   - name: the name of the cookie.
        ///   - reason: the reason for the rejection.
        public init(name: String, reason: Reason) {
            self.name = name
            self.reason = reason
        }

        /// The name and the reason.
        public var description: String { "the cookie \(name.debugDescription) was rejected: \(reason)" }
    }
}

extension CookieJar.Rejection.Reason: CustomStringConvertible {
    /// A textual description of the reason.
    public var description: String {
        switch self {
        case .empty: "it has neither a name nor a value"
        case .controlCharacter: "it contains a control character"
        case .separator:
            "its value has a ; or its name a ;, = or space, so that servers would read other cookies in it; encode the"
                + " value, for example in percent-encoding"
        case .tooLong: "it has more than \(SetCookie.mostBytes) bytes"
        case .foreignDomain: "its Domain is not one of the server's"
        case .publicSuffix: "its Domain is a public suffix, below which others have domains too"
        case .insecureConnection: "it is Secure, but the connection is not encrypted"
        case .hidesSecureCookie: "it would hide a Secure cookie, but the connection is not encrypted"
        case .sameSiteNoneWithoutSecure: "it is SameSite=None, which needs Secure"
        case .otherSite: "it is not meant for other sites, and the request came from one"
        case .prefix: "its name has the prefix __Secure- or __Host-, but it does not meet their rules"
        }
    }
}
