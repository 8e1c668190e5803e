/// A user name and password that are never sent, but used to compute responses to a server's challenges.
package protocol ChallengedSecret: Sendable {
    /// The user name.
    var user: String { get }

    /// The password.
    var password: String { get }

    /// The error in the declaration of the secret; nil if it is valid.
    var declarationError: Scope.DeclarationError? { get }

    /// The `curl` option for the scheme.
    var curlOption: String { get }
}
