/// The redirects to follow (RFC 9110, section 15.4); by default, up to ten to any origin.
///
/// ```swift
/// Redirects(.follow(upTo: 3))
/// Redirects(.sameOrigin)          // not to another scheme, host or port
/// Redirects(.reject)              // a redirect is an error
/// ```
///
/// After a 303, or after a 301 or 302 in response to a POST, the next request is a GET; a HEAD request remains a HEAD.
/// A GET that replaces another method has no body and no fields that apply only to the replaced request: content
/// fields, preconditions, ranges, `Expect` and the idempotency key.
///
/// A redirect that is not followed causes a `TransportError` of kind `TransportError.Kind.redirectRejected` that names
/// its target; one beyond the limit causes `TransportError.Kind.tooManyRedirects`. With `Success(302)`, a 302 is
/// returned like any other response. Redirects from https to http are always rejected. A negative limit is a
/// declaration error, and nothing is sent.
public struct Redirects: Setting {
    /// The declared policy.
    public let policy: Policy

    /// Declares a policy.
    ///
    /// - Parameter policy: the redirects to follow.
    public init(_ policy: Policy) { self.policy = policy }

    /// The policy and its limit.
    public var summary: String { policy.description }

    /// Adds the policy to a scope.
    ///
    /// A negative limit is a declaration error.
    ///
    /// - Parameter scope: the scope that declares the policy.
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
    /// The allowed targets of redirects and the maximum number of redirects.
    public struct Policy: Sendable, Hashable, CustomStringConvertible {
        /// The allowed targets.
        ///
        /// The raw values are the names used in declarations.
        package enum Reach: String, Sendable {
            case follow, sameOrigin, reject
        }

        package let reach: Reach

        /// The maximum number of redirects.
        package let limit: Int

        /// Follows up to ten redirects to any origin.
        public static let follow = Policy(reach: .follow, limit: 10)

        /// Follows up to ten redirects to the same scheme, host and port.
        public static let sameOrigin = Policy(reach: .sameOrigin, limit: 10)

        /// Follows no redirects.
        public static let reject = Policy(reach: .reject, limit: 0)

        /// Follows redirects to any origin.
        ///
        /// - Parameter limit: the maximum number of redirects per call; a negative number is a declaration error.
        /// - Returns: the policy.
        public static func follow(upTo limit: Int) -> Self { Self(reach: .follow, limit: limit) }

        /// Follows redirects within the same scheme, host and port.
        ///
        /// - Parameter limit: the maximum number of redirects per call; a negative number is a declaration error.
        /// - Returns: the policy.
        public static func sameOrigin(upTo limit: Int) -> Self { Self(reach: .sameOrigin, limit: limit) }

        /// The policy as written in a declaration, with its limit.
        public var description: String {
            reach == .reject ? reach.rawValue : "\(reach.rawValue) up to \(limit)"
        }
    }
}
