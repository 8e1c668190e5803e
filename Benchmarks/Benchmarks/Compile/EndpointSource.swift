/// A generated Swift file with many endpoints, as varied as in an app.
enum EndpointSource {
    /// A file with only the imports.
    static let empty = "import Foundation\nimport Waybill\n"

    /// Returns a file with `count` endpoints.
    static func endpoints(_ count: Int) -> String {
        let functions = (0..<count).map { shapes[$0 % shapes.count]("endpoint\($0)", "things\($0)") }
        return empty + types + "struct Generated: API {\n    let client: Client\n\n"
            + functions.joined(separator: "\n\n") + "\n}\n"
    }

    private static let types = """

        struct Thing: Entity {
            let id: Int
            var name: String
            struct Draft: Encodable, Sendable { var name: String }
        }

        struct Meta: Decodable, Sendable { var total: Int }

        enum Order: String, Sendable { case newest, oldest }


        """

    private typealias Shape = @Sendable (_ name: String, _ path: String) -> String

    private static let shapes: [Shape] = [
        { name, path in
            """
                func \(name)() -> Endpoint<[Thing]> {
                    endpoint {
                        GET("\(path)")
                        Query("q", "lamp")
                        Envelope("data", "items")
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ id: Thing.ID) -> Endpoint<Thing> {
                    endpoint {
                        GET("\(path)/\\(id)")
                        Header("X-Trace", "on")
                        Envelope("data")
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ text: String, limit: Int? = nil, order: Order?) -> Endpoint<[Thing]> {
                    endpoint {
                        GET("\(path)/search")
                        Query("q", text)
                        if let limit { Query("limit", limit) }
                        Query("order", order)
                        Paginated(.cursor(at: "meta", "next", as: "after"))
                        Envelope("data")
                        Metadata(Meta.self, at: "meta")
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ draft: Thing.Draft, notify: Bool) -> Endpoint<Thing> {
                    endpoint {
                        POST("\(path)")
                        Query("notify", notify)
                        Header("X-Origin", "app")
                        Body(draft, under: "thing")
                        Envelope("thing")
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ id: Thing.ID, _ part: String, tags: [String]) -> Endpoint<Void> {
                    endpoint {
                        PUT("\(path)/\\(id)/parts/\\(part).json")
                        for tag in tags { Query("tag", tag) }
                        Body(form: ["name": part, "kind": "part"])
                        Timeout(.seconds(20))
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ id: Thing.ID, version: Int) -> Endpoint<Thing?> {
                    endpoint {
                        GET("\(path)/\\(id)")
                        switch version {
                        case 1: Query("format", "old")
                        case 2: Query("format", "new")
                        default: Header("X-Version", version)
                        }
                        if version > 2 { Query("full") } else { Query("brief") }
                        Success([200, 404])
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ ids: [Thing.ID], etag: String?) -> Endpoint<[Thing]> {
                    endpoint {
                        Query("ids", ids, as: .commaSeparated)
                        Header(.ifNoneMatch, etag)
                        Authorization(.bearer("token"))
                        Envelope("results", "items")
                        GET("\(path)")
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ id: Thing.ID, image: Data) -> Endpoint<Void> {
                    endpoint {
                        POST("\(path)/\\(id)/image")
                        Body(image, contentType: "image/png")
                        Header("X-Size", image.count)
                    }
                }
            """
        },
        { name, path in
            """
                var \(name): Resource<Thing, ReadWrite> {
                    resource("\(path)") {
                        Envelope(item: "thing", list: "things")
                        Paginated(.pageNumber(size: .query("per_page", 50)))
                        On(.update) { PATCH("\(path)/\\(.id)/state") }
                    }
                }
            """
        },
        { name, path in
            """
                func \(name)(_ id: Thing.ID, since date: Date, isOld: Bool) -> Endpoint<Data> {
                    endpoint {
                        isOld ? Route("POST", "\(path)/export") : Route("GET", "\(path)/\\(id)/export")
                        Query("since", date, as: .day)
                        Query("locale", "en")
                        Header(.accept, "text/csv")
                        Envelope.none
                    }
                }
            """
        },
    ]
}
