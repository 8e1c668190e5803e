import Foundation

/// What an `Authorization` field says: a scheme and its secret, at hand or still to be fetched.
///
/// A credential's description never has the secret in it.
public struct Credential: Sendable {
    package enum Secret: Sendable {
        case text(String)
        case source(@Sendable () async throws -> String)
    }

    /// The scheme: `Bearer`, `Basic`.
    public let scheme: String

    package let secret: Secret

    private init(scheme: String, secret: Secret) {
        self.scheme = scheme
        self.secret = secret
    }

    /// A bearer token (RFC 6750) that does not change.
    public static func bearer(_ token: String) -> Self { Self(scheme: "Bearer", secret: .text(token)) }

    /// A bearer token (RFC 6750) that is asked for each time a request is sent.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "Bearer", secret: .source(token))
    }

    /// A user and a password (RFC 7617).
    ///
    /// A user with a colon in it cannot be sent so: the call fails with an ``AuthorizationFailure``.
    public static func basic(user: String, password: String) -> Self {
        guard !user.contains(":") else { return Self(scheme: "Basic", secret: .source { throw UserWithColon() }) }
        return Self(scheme: "Basic", secret: .text(Data("\(user):\(password)".utf8).base64EncodedString()))
    }

    /// A scheme that has no name here, such as `Token`, with a secret that does not change.
    public static func scheme(_ scheme: String, _ secret: String) -> Self {
        Self(scheme: scheme, secret: .text(secret))
    }

    /// A scheme that has no name here, with a secret that is asked for each time a request is sent.
    public static func scheme(_ scheme: String, _ secret: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: scheme, secret: .source(secret))
    }
}

extension Credential: CustomStringConvertible {
    /// The scheme; the secret is redacted.
    public var description: String { "\(scheme) ‹redacted›" }
}

/// A user that Basic authentication cannot tell from its password.
private struct UserWithColon: Error, CustomStringConvertible {
    let description = "the user of Basic authentication has a colon in it, which RFC 7617 does not allow"
}
