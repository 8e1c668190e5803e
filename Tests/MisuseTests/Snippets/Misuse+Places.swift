extension Misuse {
    /// Clauses in scopes where they do not belong.
    static let places = [
        Misuse(
            "a route in a client",
            says: "a route belongs in an endpoint",
            """
                static func client(_ url: URL) -> Client {
                    Client(url) { GET("products") }
                }
            """
        ),
        Misuse(
            "a route in a resource",
            says: "or in On(.list) { … } of a resource",
            """
                var lamps: Resource<Product, ReadOnly> {
                    resource("lamps") {
                        Envelope("data")
                        GET("lamps/all")
                    }
                }
            """
        ),
        Misuse(
            "a route in a singleton",
            says: "a route belongs in an endpoint",
            """
                var profile: Singleton<Product, ReadOnly> {
                    singleton("profile") { GET("me") }
                }
            """
        ),
        Misuse(
            "a Body in a client",
            says: "a Body belongs in an endpoint; Body.Format(…) declares the format of all bodies",
            """
                static func client(_ url: URL) -> Client {
                    Client(url) { Body(1) }
                }
            """
        ),
        Misuse(
            "a Body in a resource",
            says: "Body.Format(…) declares the format of all bodies",
            """
                var lamps: Resource<Product, ReadWrite> {
                    resource("lamps") { Body(1) }
                }
            """
        ),
        Misuse(
            "a Body in an operation",
            says: "an operation's body is its argument",
            """
                var lamps: Resource<Product, ReadWrite> {
                    resource("lamps") {
                        On(.create) { Body(1) }
                    }
                }
            """
        ),
        Misuse(
            "an operation in a call of an endpoint",
            says: "a call is one operation: write its clauses without On",
            """
                func run(_ endpoint: Endpoint<Product>) async throws {
                    _ = try await endpoint.with { On(.read) { Envelope("data") } }.send()
                }
            """
        ),
        Misuse(
            "an operation in a call of a resource",
            says: "a call is one operation: write its clauses without On",
            """
                func run() async throws { _ = try await shop.products.with { On(.list) { Envelope("data") } }.list() }
            """
        ),
        Misuse(
            "an operation in a call of a client",
            says: "a call is one operation: write its clauses without On",
            """
                func run() async throws { try await client.delete("a") { On(.delete) { Header("X-A", 1) } } }
            """
        ),
        Misuse(
            "a route in a call",
            says: "the call has its route",
            """
                func run(_ endpoint: Endpoint<Product>) async throws {
                    _ = try await endpoint.with { GET("products") }.send()
                }
            """
        ),
        Misuse(
            "a body in a call",
            says: "the call has its body",
            """
                func run(_ endpoint: Endpoint<Product>) async throws {
                    _ = try await endpoint.with { Body(1) }.send()
                }
            """
        ),
    ]
}
