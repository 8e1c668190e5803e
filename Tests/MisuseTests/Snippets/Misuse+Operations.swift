extension Misuse {
    /// `On` where there are no operations.
    static let operations = [
        Misuse(
            "On in an endpoint",
            says: "On(…) belongs into a resource or a client, not into an endpoint",
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
            says: "not into an endpoint or another On",
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
