/// The credential of a request: the value of its `Authorization` field (RFC 9110, section 11.6.2), or a key elsewhere.
///
/// It is fetched each time a request is sent, so it can change while the client lives.
///
/// ```swift
/// Authorization(.bearer { try await tokens.current() })
/// Authorization(.basic(user: "admin", password: password))
/// Authorization(.scheme("Token", token))
/// Authorization(.apiKey(key, header: "X-API-Key"))
/// Authorization(.digest(user: "admin", password: password))
/// Authorization.none          // no credential, even if an outer scope declares one
/// ```
///
/// It goes to the client's origin only: not along with a redirect, or a page, that leads elsewhere. The body of a
/// request does go along with a 307 or 308 that leads elsewhere, as RFC 9110 demands: secrets are better kept out of
/// bodies. An error of the source is an ``APIError/AuthorizationFailure``; nothing is sent.
public struct Authorization: Setting {
    package let credential: Credential?

    /// Creates the clause with a credential.
    public init(_ credential: Credential) { self.credential = credential }

    private init() { credential = nil }

    /// No credential, even if an outer scope declares one.
    public static let none = Authorization()

    /// The scheme, without the credential.
    public var summary: String { credential?.summary ?? "none" }

    /// Declares the credential.
    public func declare(in scope: inout Scope) {
        if let declarationError = credential?.declarationError { scope.declare(declarationError) }
        scope.declare(self)
    }
}
