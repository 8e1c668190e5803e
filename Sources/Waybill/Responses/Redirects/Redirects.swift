/// The redirects that are followed (RFC 9110, section 15.4); without it, up to ten to any origin.
///
/// ```swift
/// Redirects(.follow(upTo: 3))
/// Redirects(.sameOrigin)          // not to another scheme, host or port
/// Redirects(.reject)              // a redirect is an error
/// ```
///
/// A 303, and a 301 or 302 after a POST, lead to a GET. It has no body, and none of the fields that belong to the
/// replaced request: content fields, preconditions, ranges, `Expect` and the idempotency key.
///
/// A redirect that is not followed is a `TransportError` of kind `TransportError.Kind.redirectRejected`, with its
/// target; one too many is `TransportError.Kind.tooManyRedirects`. With `Success(302)` it is returned like any other
/// response. Redirects from https to http are rejected in any case. A negative number is a declaration error: nothing
/// is sent.
public struct Redirects: Setting {
    /// The policy.
    public let policy: Policy

    /// Creates the clause with a policy.
    ///
    /// - Parameter policy: the redirects that are followed.
    public init(_ policy: Policy) { self.policy = policy }

    /// The policy and its limit.
    public var summary: String { policy.description }

    /// Declares the policy.
    public func declare(in scope: inout Scope) {
        if policy.limit < 0 {
            scope.declarationErrors.reject(
                "Redirects",
                "\(policy.limit)",
                because: "the number of redirects cannot be negative; give zero or more, or Redirects(.reject)"
            )
        }
        scope.declare(self)
    }
}

extension Redirects {
    /// The targets and the number of redirects that a request may take.
    public struct Policy: Sendable, Hashable, CustomStringConvertible {
        /// The targets; the raw values are those of a declaration.
        package enum Reach: String, Sendable {
            case follow, sameOrigin, reject
        }

        package let reach: Reach

        /// The most that are followed.
        package let limit: Int

        /// The policy that follows up to ten redirects to any origin.
        public static let follow = Policy(reach: .follow, limit: 10)

        /// The policy that follows up to ten redirects to the same scheme, host and port.
        public static let sameOrigin = Policy(reach: .sameOrigin, limit: 10)

        /// The policy that follows no redirect.
        public static let reject = Policy(reach: .reject, limit: 0)

        /// Follows redirects to any origin.
        ///
        /// - Parameter limit: the most redirects of a call; a negative number is a declaration error.
        /// - Returns: the policy.
        public static func follow(upTo limit: Int) -> Self { Self(reach: .follow, limit: limit) }

        /// Follows redirects that stay at their origin.
        ///
        /// - Parameter limit: the most redirects of a call; a negative number is a declaration error.
        /// - Returns: the policy.
        public static func sameOrigin(upTo limit: Int) -> Self { Self(reach: .sameOrigin, limit: limit) }

        /// The policy in the form of a declaration, with its limit.
        public var description: String {
            reach == .reject ? reach.rawValue : "\(reach.rawValue) up to \(limit)"
        }
    }
}
