extension Misuse {
    /// Clauses in scopes to which they do not belong.
    static let places = [
        Misuse(
            "a route in a client",
            says: "a route belongs into an endpoint",
            """
                static func client(_ url: URL) -> Client {
                    Client(url) { GET("products") }
                }
            """
        ),
        Misuse(
            "a route in a resource",
            says: "or into On(.list) { … } of a resource",
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
            says: "a route belongs into an endpoint",
            """
                var profile: Singleton<Product, ReadOnly> {
                    singleton("profile") { GET("me") }
                }
            """
        ),
        Misuse(
            "a Body in a client",
            says: "a Body belongs into an endpoint; Bodies(…) says how all of them are written",
            """
                static func client(_ url: URL) -> Client {
                    Client(url) { Body(1) }
                }
            """
        ),
        Misuse(
            "a Body in a resource",
            says: "Bodies(…) says how all of them are written",
            """
                var lamps: Resource<Product, ReadWrite> {
                    resource("lamps") { Body(1) }
                }
            """
        ),
        Misuse(
            "a Body in an operation",
            says: "an operation sends what it is called with",
            """
                var lamps: Resource<Product, ReadWrite> {
                    resource("lamps") {
                        On(.create) { Body(1) }
                    }
                }
            """
        ),
    ]
}
