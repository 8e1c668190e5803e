extension Misuse {
    /// Endpoints that lead nowhere.
    static let routes = [
        Misuse(
            "an endpoint without a route",
            says: #"an endpoint needs a route, such as GET("products")"#,
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        Query("q", "lamp")
                        Envelope("items")
                    }
                }
            """
        ),
        Misuse(
            "an empty endpoint",
            says: #"an endpoint needs a route, such as GET("products")"#,
            """
                var search: Endpoint<[Product]> {
                    endpoint {}
                }
            """
        ),
        Misuse(
            "an empty endpoint without a value",
            says: #"an endpoint needs a route, such as GET("products")"#,
            """
                var ping: Endpoint<Void> {
                    endpoint {}
                }
            """
        ),
        Misuse(
            "an endpoint of a resource without a route",
            says: #"an endpoint needs a route, such as GET("products")"#,
            """
                var lamps: Endpoint<[Product]> {
                    shop.products.endpoint { Query("kind", "lamp") }
                }
            """
        ),
    ]
}
