extension Misuse {
    /// `On` in scopes without operations.
    static let operations = [
        Misuse(
            "On in an endpoint",
            says: "On(…) belongs in a resource or a client, not in an endpoint",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        On(.list) { Query("q", "lamp") }
                    }
                }
            """
        ),
        Misuse(
            "On in another On",
            says: "not in an endpoint or another On",
            """
                var lamps: Resource<Product, ReadOnly> {
                    resource("lamps") {
                        On(.list) {
                            On(.read) { Query("q", "lamp") }
                        }
                    }
                }
            """
        ),
    ]
}
