/// A user and a password that are not sent themselves, but answer the challenges of a server.
package protocol ChallengedSecret: Sendable {
    /// The user.
    var user: String { get }

    /// The password.
    var password: String { get }

    /// The error in the declaration of the secret; nil if it is valid.
    var declarationError: Scope.DeclarationError? { get }

    /// The option of `curl` for the scheme.
    var curlOption: String { get }
}
