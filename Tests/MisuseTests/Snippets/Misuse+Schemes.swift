extension Misuse {
    /// Custom pagination schemes.
    static let schemes = [
        Misuse(
            "a JSON value as the text of a query item",
            says: "cannot convert value of type 'JSONValue' to expected dictionary value type 'String'",
            """
                static let shelves = Paginated.Scheme("shelf") { page in
                    guard let next = try page.value(at: "next_shelf") else { return nil }
                    return Paginated.Scheme.Request(query: ["shelf": next])
                }
            """
        ),
        Misuse(
            "a JSON value as the text of a query item in a declaration",
            says: "cannot convert value of type 'JSONValue' to expected dictionary value type 'String'",
            """
                var lamps: Resource<Product, ReadOnly> {
                    resource("lamps") {
                        Paginated(
                            Paginated.Scheme("shelf") { page in
                                guard let next = try page.value(at: "next_shelf") else { return nil }
                                return Paginated.Scheme.Request(query: ["shelf": next])
                            }
                        )
                    }
                }
            """
        ),
        Misuse(
            "a misspelled label of a page request",
            says: "incorrect argument label in call (have 'querry:', expected 'query:')",
            """
                static let shelves = Paginated.Scheme("shelf") { page in
                    guard let next = try page.value(at: "next_shelf")?.stringValue else { return nil }
                    return Paginated.Scheme.Request(querry: ["shelf": next])
                }
            """
        ),
    ]
}
