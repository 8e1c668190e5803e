extension Misuse {
    /// Endpoints without a valid route.
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

    /// Paths created at run time, in the clause of each method.
    static let textPaths = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { method in
        Misuse(
            "\(method) with a path that is a String",
            says: #"write "\(path)" for one segment, \(segments: names) for several"#,
            """
                func send(_ path: String) -> Endpoint<Product> {
                    endpoint { \(method)(path) }
                }
            """
        )
    }
}
