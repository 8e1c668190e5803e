extension Misuse {
    /// Values of mismatched types.
    static let values = [
        Misuse(
            "an id of another type",
            says: "cannot convert value of type 'String' to expected argument type 'Int'",
            """
                func run() async throws { _ = try await shop.products.read("seven") }
            """
        ),
        Misuse(
            "a draft of another type",
            says: "cannot convert value of type 'Product' to expected argument type",
            """
                func run() async throws { try await shop.products.create(Product(id: 1, name: "Lamp")) }
            """
        ),
        Misuse(
            "an optional in a path",
            says: "an optional cannot be part of a path; unwrap it first",
            #"""
                func product(_ id: Int?) -> Endpoint<Product> {
                    endpoint { GET("products/\(id)") }
                }
            """#
        ),
        Misuse(
            "an optional in the path of a resource",
            says: "unwrap",
            #"""
                func reviews(of id: String?) -> Resource<Product, ReadOnly> { resource("products/\(id)/reviews") }
            """#
        ),
        Misuse(
            "a value without a segment in a path",
            says: "PathSegmentConvertible",
            #"""
                func near(_ point: Point) -> Endpoint<Product> {
                    endpoint { GET("products/\(point)") }
                }
            """#
        ),
        Misuse(
            "an array in a path",
            says: #"an array is several segments: write \(segments: ids)"#,
            #"""
                func products(_ ids: [Int]) -> Endpoint<[Product]> {
                    endpoint { GET("products/\(ids)") }
                }
            """#
        ),
        Misuse(
            "an entity whose id cannot be a segment",
            says: "type 'Point' does not conform to protocol 'PathSegmentConvertible'",
            """
                struct Place: Entity { let id: Point }
            """
        ),
        Misuse(
            "reading what has such an id",
            says: "requires that 'Point' conform to 'PathSegmentConvertible'",
            """
                struct Place: Codable, Identifiable, Sendable { let id: Point }
                var places: Resource<Place, ReadOnly> { resource("places") }
                func run() async throws { _ = try await places.read(Point()) }
            """
        ),
        Misuse(
            "a file as a value",
            says: #"send the file: Body(file: url, contentType: "image/png"), or the text: Body(url.absoluteString)"#,
            """
                func upload(_ image: URL) -> Endpoint<Void> {
                    endpoint {
                        PUT("image")
                        Body(image)
                    }
                }
            """
        ),
        Misuse(
            "bytes without a content type",
            says: #"give the content type of the bytes: Body(bytes, contentType: "image/png")"#,
            """
                func upload(_ image: Data) -> Endpoint<Void> {
                    endpoint {
                        PUT("image")
                        Body(image)
                    }
                }
            """
        ),
        Misuse(
            "bytes as the first clause",
            says: #"not a body: write Body(bytes, contentType: "image/png"), Body(file: url, contentType: "#,
            """
                func upload(_ image: Data) -> Endpoint<Void> {
                    endpoint {
                        Body(image)
                        PUT("image")
                    }
                }
            """
        ),
        Misuse(
            "a file as the last clause",
            says: "or Body(url.absoluteString)",
            """
                func upload(_ image: URL) -> Endpoint<Void> {
                    endpoint {
                        PUT("image")
                        Timeout(.seconds(3))
                        Body(image)
                    }
                }
            """
        ),
        Misuse(
            "an optional body",
            says: "unwrap an optional",
            """
                func upload(_ image: Body?) -> Endpoint<Void> {
                    endpoint {
                        PUT("image")
                        image
                    }
                }
            """
        ),
        Misuse(
            "a form item without a text",
            says: "cannot convert value of type 'Point' to expected dictionary value type '(any QueryValue)?'",
            """
                var near: Endpoint<Product> {
                    endpoint {
                        POST("near")
                        Body(form: ["count": 1, "point": Point()])
                    }
                }
            """
        ),
        Misuse(
            "an endpoint of what cannot be decoded",
            says: "Ticket' conform to 'Decodable'",
            """
                struct Ticket: Sendable {}
                var ticket: Endpoint<Ticket> { endpoint { GET("ticket") } }
            """
        ),
        Misuse(
            "a one-line call whose value has no type",
            says: "name the type of the value: as: User.self; as: Void.self ignores the body",
            """
                func run() async throws(APIError) { try await client.get("ping") }
            """
        ),
        Misuse(
            "a one-line call of what cannot be decoded",
            says: "Ticket' conform to 'Decodable'",
            """
                struct Ticket: Sendable {}
                func run() async throws(APIError) { _ = try await client.get("ticket", as: Ticket.self) }
            """
        ),
        Misuse(
            "a body of what cannot be encoded",
            says: "Ticket' conform to 'Encodable'",
            """
                struct Ticket: Sendable {}
                var ticket: Endpoint<Product> {
                    endpoint {
                        POST("ticket")
                        Body(Ticket())
                    }
                }
            """
        ),
        Misuse(
            "a literal with what cannot be encoded",
            says: "give values that can be encoded",
            """
                struct Ticket: Sendable {}
                func buy(_ ticket: Ticket) -> Endpoint<Product> {
                    endpoint {
                        POST("ticket")
                        Body(["ticket": ticket, "count": 1])
                    }
                }
            """
        ),
        Misuse(
            "a literal with an object whose values have several types",
            says: #"in objects below, JSONValue: ["name": .string(name)]"#,
            """
                func buy(_ name: String) -> Endpoint<Product> {
                    endpoint {
                        POST("ticket")
                        Body(["order": ["name": name, "count": 1]])
                    }
                }
            """
        ),
        Misuse(
            "a query of what has no text",
            says: "a query item is a QueryValue (text, number, Bool, Date, UUID, URL)",
            """
                var near: Endpoint<Product> {
                    endpoint {
                        GET("near")
                        Query("point", Point())
                    }
                }
            """
        ),
        Misuse(
            "a resource of what cannot be sent between tasks",
            says: "Basket' does not conform to the 'Sendable' protocol",
            """
                final class Basket: Codable, Identifiable { var id = 1 }
                var baskets: Resource<Basket, ReadOnly> { resource("baskets") }
            """
        ),
        Misuse(
            "a switch over the error of a plain do in a Task",
            says: "has no member 'status'",
            """
                func run() {
                    Task {
                        do {
                            let lamp = try await shop.products.read(1)
                            print(lamp.name)
                        } catch {
                            switch error {
                            case .status(let failure): print(failure.status)
                            default: print(error)
                            }
                        }
                    }
                }
            """
        ),
        Misuse(
            "an error of another type in a catch",
            says: "has no member 'offline'",
            """
                func run() async {
                    do {
                        try await shop.products.delete(1)
                    } catch {
                        if case .offline = error { return }
                    }
                }
            """
        ),
        Misuse(
            "a date formatter as a function",
            says: "give a function: .formatted { text in formatter.date(from: text) }",
            """
                var product: Endpoint<Product> {
                    endpoint {
                        GET("product")
                        Decode(dates: .formatted(DateFormatter()))
                    }
                }
            """
        ),
    ]
}
