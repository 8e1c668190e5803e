extension Misuse {
    private static let onlyRepeating = "only repeatable clauses can be inside `if`"

    /// Clauses inside `if`, `switch` and `for` that a scope may contain only once.
    static let branches = [
        Misuse(
            "an Envelope inside if",
            says: onlyRepeating,
            """
                func search(_ old: Bool) -> Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        if old { Envelope("data") }
                    }
                }
            """
        ),
        Misuse(
            "an Envelope inside if let in a resource",
            says: onlyRepeating,
            """
                func lamps(_ key: String?) -> Resource<Product, ReadOnly> {
                    resource("lamps") {
                        if let key { Envelope(.key(key)) }
                    }
                }
            """
        ),
        Misuse(
            "an Envelope inside if and else",
            says: onlyRepeating,
            """
                func search(_ old: Bool) -> Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        if old { Envelope("data") } else { Envelope("items") }
                    }
                }
            """
        ),
        Misuse(
            "an Envelope inside switch",
            says: onlyRepeating,
            """
                func search(_ version: Int) -> Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        switch version {
                        case 1: Envelope("data")
                        default: Query("version", version)
                        }
                    }
                }
            """
        ),
        Misuse(
            "an Envelope inside for",
            says: "only repeatable clauses can be inside `for`",
            """
                func search(_ keys: [String]) -> Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        for key in keys { Envelope(.key(key)) }
                    }
                }
            """
        ),
        Misuse(
            "a Body inside if",
            says: onlyRepeating,
            """
                func buy(_ count: Int?) -> Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        if let count { Body(count) }
                    }
                }
            """
        ),
        Misuse(
            "a Body inside switch",
            says: onlyRepeating,
            """
                func buy(_ count: Int) -> Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        switch count {
                        case 1: Body("one")
                        default: Body(count)
                        }
                    }
                }
            """
        ),
        Misuse(
            "a Body inside for",
            says: "only repeatable clauses can be inside `for`",
            """
                func buy(_ counts: [Int]) -> Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        for count in counts { Body(count) }
                    }
                }
            """
        ),
        Misuse(
            "a route inside if",
            says: onlyRepeating,
            """
                func search(_ old: Bool) -> Endpoint<[Product]> {
                    endpoint {
                        if old { GET("products") } else { POST("search") }
                    }
                }
            """
        ),
        Misuse(
            "a route inside switch",
            says: onlyRepeating,
            """
                func search(_ version: Int) -> Endpoint<[Product]> {
                    endpoint {
                        switch version {
                        case 1: GET("products")
                        case 2: GET("search")
                        default: POST("search")
                        }
                    }
                }
            """
        ),
        Misuse(
            "a route inside for",
            says: "only repeatable clauses can be inside `for`",
            #"""
                func search(_ ids: [Int]) -> Endpoint<[Product]> {
                    endpoint {
                        for id in ids { GET("products/\(id)") }
                    }
                }
            """#
        ),
        Misuse(
            "a Paginated inside if",
            says: onlyRepeating,
            """
                func lamps(_ old: Bool) -> Resource<Product, ReadOnly> {
                    resource("lamps") {
                        if old { Paginated(.link()) }
                    }
                }
            """
        ),
    ]
}
