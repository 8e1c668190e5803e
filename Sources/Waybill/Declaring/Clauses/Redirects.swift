/// Which redirects are followed (RFC 9110, section 15.4); without it, up to ten, wherever they lead.
///
/// ```swift
/// Redirects(.follow(upTo: 3))
/// Redirects(.sameOrigin)          // not to another scheme, host or port
/// Redirects(.refuse)              // a redirect is an error
/// ```
///
/// A redirect that is not followed is a ``TransportError`` of kind ``TransportError/Kind/redirectRefused``, which says where it
/// leads; one too many is ``TransportError/Kind/tooManyRedirects``. With `Success(302)` it is an answer like any other. Redirects
/// from https to http are refused in any case. A negative number is a mistake: nothing is sent.
public struct Redirects: Setting {
    /// What is followed.
    public let policy: Policy

    /// Follows what the policy says.
    public init(_ policy: Policy) { self.policy = policy }

    /// The policy and its limit.
    public var summary: String { policy.description }

    /// Declares the policy.
    public func declare(in scope: inout Scope) {
        if policy.limit < 0 {
            scope.declare(
                Mistake(
                    clause: "Redirects",
                    value: "\(policy.limit)",
                    reason: "there is no such number of redirects; give zero or more, or Redirects(.refuse)"
                )
            )
        }
        scope.declare(self)
    }
}

extension Redirects {
    /// Where redirects may lead, and how many of them a request may take.
    public struct Policy: Sendable, Hashable, CustomStringConvertible {
        /// Where they may lead; the raw values are what a declaration says.
        package enum Reach: String, Sendable {
            case follow, sameOrigin, refuse
        }

        package let reach: Reach

        /// The most that are followed.
        package let limit: Int

        /// Follows up to ten, wherever they lead.
        public static let follow = Policy(reach: .follow, limit: 10)

        /// Follows up to ten that stay at their origin: the same scheme, host and port.
        public static let sameOrigin = Policy(reach: .sameOrigin, limit: 10)

        /// Follows none.
        public static let refuse = Policy(reach: .refuse, limit: 0)

        /// Follows up to so many, wherever they lead; a negative number is a mistake.
        public static func follow(upTo limit: Int) -> Self { Self(reach: .follow, limit: limit) }

        /// Follows up to so many that stay at their origin; a negative number is a mistake.
        public static func sameOrigin(upTo limit: Int) -> Self { Self(reach: .sameOrigin, limit: limit) }

        /// The policy as a declaration says it, with its limit.
        public var description: String {
            reach == .refuse ? reach.rawValue : "\(reach.rawValue) up to \(limit)"
        }
    }
}
