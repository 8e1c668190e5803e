/// What a client declares: its base URL, and its scopes laid over each other once for all of its calls.
package struct ClientScopes: Sendable {
    /// The base URL.
    package let base: BaseURL

    /// The scopes, farthest first.
    package let scopes: [Scope]

    /// What they come to.
    package let resolution: Resolution

    package init(base: BaseURL, scopes: [Scope]) {
        self.base = base
        self.scopes = scopes
        resolution = Resolution(scopes)
    }
}
