/// The declarations of a client: its base URL, and its scopes, merged once for all of its calls.
package struct ClientScopes: Sendable {
    /// The base URL.
    package let base: BaseURL

    /// The scopes, outermost first.
    package let scopes: [Scope]

    /// The merged scopes.
    package let configuration: ResolvedConfiguration

    /// Returns 64 random bits, for what a plan has to make up.
    package let randomBits: @Sendable () -> UInt64

    package init(base: BaseURL, scopes: [Scope], randomBits: @escaping @Sendable () -> UInt64) {
        self.base = base
        self.scopes = scopes
        self.randomBits = randomBits
        configuration = ResolvedConfiguration(scopes)
    }
}
