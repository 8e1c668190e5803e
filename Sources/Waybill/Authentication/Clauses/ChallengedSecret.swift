/// A user name and password for responding to a server's challenges; the password itself is never sent.
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
