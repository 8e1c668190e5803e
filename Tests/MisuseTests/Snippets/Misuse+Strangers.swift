extension Misuse {
    /// Lines that are not clauses.
    static let strangers = [
        Misuse(
            "a stray number",
            says: "not a clause",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        42
                    }
                }
            """
        ),
        Misuse(
            "a range as a query item",
            says: "a query item is a QueryValue (text, number, Bool, Date, UUID, URL)",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        Query("price", 1...5)
                    }
                }
            """
        ),
        Misuse(
            "an array as a header field",
            says: "a field's value is a QueryValue (text, number, Bool, Date, UUID, URL)",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        Header("X-Tags", ["new", "sale"])
                    }
                }
            """
        ),
        Misuse(
            "a clause among the parts of a form",
            says: #"not a part: a form has Multipart.Part("name", …); clauses belong around Multipart"#,
            """
                var send: Endpoint<Product> {
                    endpoint {
                        POST("products")
                        Multipart {
                            Multipart.Part("a", 1)
                            Header("X-A", 1)
                        }
                    }
                }
            """
        ),
        Misuse(
            "a stray string",
            says: "not a clause",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        "search"
                    }
                }
            """
        ),
        Misuse(
            "a stray value in a resource",
            says: "not a clause",
            """
                var lamps: Resource<Product, ReadOnly> {
                    resource("lamps") { Point() }
                }
            """
        ),
        Misuse(
            "a stray call in an operation",
            says: "not a clause",
            """
                var lamps: Resource<Product, ReadOnly> {
                    resource("lamps") {
                        On(.list) { print("lamps") }
                    }
                }
            """
        ),
    ]
}
