extension Misuse {
    /// Repetitions of clauses that a scope may contain only once.
    static let repetitions = [
        Misuse(
            "a second route",
            says: "a second route: an endpoint has one method and one path",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        Query("q", "lamp")
                        POST("products")
                    }
                }
            """
        ),
        Misuse(
            "a second Body",
            says: "a second Body: a request has only one",
            """
                var buy: Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        Body(1)
                        Body(2)
                    }
                }
            """
        ),
        Misuse(
            "a Multipart beside a Body",
            says: "a second Body: a request has only one",
            """
                var buy: Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        Body(1)
                        Multipart { Multipart.Part("a", 1) }
                    }
                }
            """
        ),
        Misuse(
            "a second Multipart",
            says: "a second Body: a request has only one",
            """
                var buy: Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        Multipart { Multipart.Part("a", 1) }
                        Multipart { Multipart.Part("b", 2) }
                    }
                }
            """
        ),
        Misuse(
            "a second Envelope",
            says: #"a second Envelope: pass all keys to one, Envelope("data", "items")"#,
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        Envelope("data")
                        GET("products")
                        Envelope("items")
                    }
                }
            """
        ),
        Misuse(
            "a second Envelope in a resource",
            says: "a second Envelope",
            """
                var lamps: Resource<Product, ReadOnly> {
                    resource("lamps") {
                        Envelope("data")
                        Envelope("items")
                    }
                }
            """
        ),
        Misuse(
            "a second Paginated",
            says: "a second Paginated: a list has one pagination scheme",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        Paginated(.link())
                        Paginated(.pageNumber(size: .query("per_page", 50)))
                    }
                }
            """
        ),
        Misuse(
            "a second Paginated in a client",
            says: "a second Paginated",
            """
                static func client(_ url: URL) -> Client {
                    Client(url) {
                        Paginated(.link())
                        Paginated(.link())
                    }
                }
            """
        ),
    ]
}
