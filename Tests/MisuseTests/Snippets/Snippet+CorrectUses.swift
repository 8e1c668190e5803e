extension Snippet {
    /// Lines that must compile: the fixes that diagnostics suggest, and correct code that resembles a misuse.
    static let correctUses = [
        Snippet(
            "one clause of each kind",
            #"""
                func buy(_ id: Int, _ count: Int) -> Endpoint<[Product]> {
                    endpoint {
                        POST("products/\(id)/orders")
                        Query("dry")
                        Header("X-Count", count)
                        Body(count, under: "order", "count")
                        Envelope("data", "items")
                        Paginated(.link())
                        Timeout(.seconds(3))
                    }
                }
            """#
        ),
        Snippet(
            "a route at the end",
            """
                var search: Endpoint<[Product]> {
                    endpoint {
                        Query("q", "lamp")
                        Envelope("items")
                        GET("products")
                    }
                }
            """
        ),
        Snippet(
            "repeating clauses inside if and switch and for",
            """
                func search(_ text: String?, _ version: Int, _ tags: [String]) -> Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        if let text { Query("q", text) }
                        if version > 1 { Header("X-Version", version) } else { Query("old") }
                        switch version {
                        case 1: Query("one", true)
                        case 2: Query("two", true)
                        default: Header("X-Version", "new")
                        }
                        for tag in tags { Query("tag", tag) }
                    }
                }
            """
        ),
        Snippet(
            "values chosen instead of clauses",
            """
                func search(_ old: Bool, _ text: String) -> Endpoint<[Product]> {
                    endpoint {
                        old ? Route("GET", "products") : Route("POST", "search")
                        old ? Envelope.none : Envelope("data")
                        Body(old ? "old" : text)
                    }
                }
            """
        ),
        Snippet(
            "a condition around an endpoint",
            """
                func search(_ old: Bool) -> Endpoint<[Product]> {
                    old ? endpoint { GET("products") } : endpoint { POST("search") }
                }
            """
        ),
        Snippet(
            "what a client takes",
            """
                static func client(_ url: URL) -> Client {
                    Client(url) {
                        Authorization(.bearer("token"))
                        Envelope("data")
                        Body.Format(under: "item")
                        Paginated(.link())
                        On(.delete) { POST("\\(.resource)/\\(.id)/remove") }
                    }
                }
            """
        ),
        Snippet(
            "operations of a resource",
            #"""
                var lamps: Resource<Product, ReadWrite> {
                    resource("lamps") {
                        Query("kind", "lamp")
                        On(.list) { GET("lamps/all") }
                        On(.update, .patch) { PATCH("things/\(.id)/state") }
                        On(.create) {}
                    }
                }
            """#
        ),
        Snippet(
            "operations under a condition",
            """
                func lamps(_ old: Bool) -> Resource<Product, ReadWrite> {
                    resource("lamps") {
                        if old { On(.list) { GET("lamps/all") } }
                    }
                }
            """
        ),
        Snippet(
            "empty declarations of what needs none",
            """
                static func client(_ url: URL) -> Client { Client(url) {} }
                var lamps: Resource<Product, ReadOnly> { resource("lamps") {} }
                var profile: Singleton<Product, ReadWrite> { singleton("profile") {} }
            """
        ),
        Snippet(
            "a set of capabilities of its own",
            """
                enum Outbox: Creatable, Deletable, BatchCreatable {}
                var outbox: Resource<Product, Outbox> { resource("outbox") }
                func run() async throws(APIError) {
                    let lamp = try await outbox.create(.init(name: "Lamp"))
                    try await outbox.create([.init(name: "Lamp"), .init(name: "Desk")])
                    try await outbox.delete(lamp.id)
                }
            """
        ),
        Snippet(
            "an id of its own",
            """
                struct Code: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: String }
                struct Place: Entity { let id: Code }
                var places: Resource<Place, ReadOnly> { resource("places") }
                func run() async throws(APIError) { _ = try await places.read(Code(rawValue: "a")) }
            """
        ),
        Snippet(
            "an optional unwrapped",
            #"""
                func product(_ id: Int?) -> Endpoint<Product>? {
                    guard let id else { return nil }
                    return endpoint { GET("products/\(id)") }
                }
                func first(_ id: Int?) -> Endpoint<Product> {
                    endpoint { GET("products/\(id ?? 1)") }
                }
            """#
        ),
        Snippet(
            "bytes of a content type",
            """
                func upload(_ image: Data) -> Endpoint<Void> {
                    endpoint {
                        PUT("image")
                        Body(image, contentType: "image/png")
                    }
                }
            """
        ),
        Snippet(
            "a file and the text of a URL",
            """
                func upload(_ image: URL) -> Endpoint<Void> {
                    endpoint {
                        PUT("image")
                        Body(file: image, contentType: "image/png")
                    }
                }
                func bookmark(_ page: URL) -> Endpoint<Void> {
                    endpoint {
                        PUT("bookmark")
                        Body(page.absoluteString)
                    }
                }
            """
        ),
        Snippet(
            "forms whose values have several types",
            """
                enum Kind: String, QueryValue { case lamp }
                func search(_ text: String?, _ kind: Kind?, _ limit: Int, _ tags: [String]) -> Endpoint<[Product]> {
                    endpoint {
                        POST("search")
                        Body(form: ["text": text, "kind": kind, "limit": limit, "dry": true, "sort": nil])
                    }
                }
                func tag(_ tags: [String], _ ids: [Int?], _ pairs: [(name: String, value: String)]) -> [Body] {
                    [
                        Body(form: tags.map { (name: "tag", value: $0) }), Body(form: ids.map { ("id", $0) }),
                        Body(form: pairs), Body(form: ["a": "b"]), Body(form: ["a": 1]), Body(form: [:]),
                    ]
                }
            """
        ),
        Snippet(
            "a literal whose values have several types",
            """
                func buy(_ id: UUID, _ count: Int?, _ lamp: Product) -> Endpoint<Product> {
                    endpoint {
                        POST("orders")
                        Body(["id": id, "count": count, "lamps": [lamp], "dry": true])
                    }
                }
                func rate(_ name: String) -> Endpoint<Product> {
                    endpoint {
                        POST("ratings")
                        Body(["rating": ["name": .string(name), "stars": 5], "dry": true], under: "data")
                    }
                }
            """
        ),
        Snippet(
            "schemes whose closures return nil",
            """
                static let single = Paginated.Scheme("single") { _ in nil }
                static let counted = Paginated.Scheme("counted") { page in
                    guard let total = try page.value(at: "total")?.intValue else { return nil }
                    return Paginated.Scheme.PageInfo(next: Paginated.Scheme.Request(query: ["page": "2"]), total: total)
                }
            """
        ),
        Snippet(
            "values of every kind",
            """
                var ping: Endpoint<Void> { endpoint { GET("ping") } }
                var pong: Endpoint<Void> { endpoint(Void.self) { GET("pong") } }
                var image: Endpoint<Data> { endpoint { GET("image") } }
                var motto: Endpoint<String?> { endpoint { GET("motto") } }
                func search() async throws(APIError) -> [Product] {
                    try await endpoint([Product].self) { GET("products") }.send()
                }
            """
        ),
        Snippet(
            "calls that ignore the body of the response",
            """
                func run() async throws(APIError) {
                    try await client.get("ping", as: Void.self)
                    try await client.get("ping", as: Void.self) { Query("count", 3) }
                    try await client.post("ratings", body: 5, as: Void.self)
                    try await client.post("ratings", as: Void.self)
                    try await client.put("ratings/1", body: 5, as: Void.self)
                    try await client.patch("ratings/1", body: 5, as: Void.self)
                    try await shop.products.endpoints.read(7).returning(Void.self).send()
                    let lamp: Product = try await client.get("products/1")
                    print(lamp.name)
                }
            """
        ),
        Snippet(
            "strategies in both directions, and Foundation's",
            #"""
                static func client(_ url: URL, _ decoder: JSONDecoder, _ encoder: JSONEncoder) -> Client {
                    Client(url) {
                        Decode(keys: .convertFromSnakeCase, dates: .iso8601, data: .base64, int64: .convertFromString)
                        Encode(keys: .convertToSnakeCase, dates: .iso8601, data: .base64, int64: .convertToString)
                        Body.Format(as: .form(dates: .iso8601, keys: .convertToSnakeCase))
                        On(.list) {
                            Decode(
                                keys: .init(decoder.keyDecodingStrategy),
                                dates: .init(decoder.dateDecodingStrategy),
                                data: .init(decoder.dataDecodingStrategy)
                            )
                            Encode(
                                keys: .init(encoder.keyEncodingStrategy),
                                dates: .init(encoder.dateEncodingStrategy),
                                data: .init(encoder.dataEncodingStrategy)
                            )
                        }
                    }
                }
                func products(since date: Date) -> Endpoint<[Product]> {
                    endpoint {
                        GET("products")
                        Query("since", date, as: .day)
                        Query(["at": date], dates: .httpDate, keys: .custom { $0[$0.count - 1] })
                    }
                }
            """#
        ),
        Snippet(
            "problems with a status or an integer",
            #"""
                struct Rejection: Decodable, Sendable {
                    let code: Int
                    let name: String
                    var status: HTTPResponse.Status? { name == "missing" ? 404 : nil }
                }
                static func client(_ url: URL) -> Client {
                    Client(url) {
                        Problem(Problem.Details.self, equivalentTo: \.status)
                        Problem(Rejection.self, on: 400, at: "error", when: { $0.code > 0 }, equivalentTo: { $0.code })
                        Problem(Rejection.self, equivalentTo: \.code)
                        Problem(Rejection.self, equivalentTo: \.status)
                        Problem(Rejection.self, equivalentTo: { $0.name == "missing" ? 404 : nil })
                        Problem(Rejection.self, equivalentTo: { _ in nil })
                        Problem(Rejection.self, equivalentTo: { $0.status ?? HTTPResponse.Status(code: $0.code) })
                    }
                }
            """#
        ),
        Snippet(
            "a setting of its own",
            """
                struct Priority: Setting { let level: Int }
                var report: Endpoint<Data> {
                    endpoint {
                        GET("reports")
                        Priority(level: 2)
                    }
                }
            """
        ),
        Snippet(
            "a switch over an error in a Task and in a loop",
            """
                func run() {
                    Task {
                        do throws(APIError) {
                            for try await lamp in shop.products.all { print(lamp.name) }
                            let all = try await shop.products.list()
                            print(all.map { $0.id + 1 })
                        } catch .status(let failure) where failure.isNotFound {
                            print(failure.status)
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
        Snippet(
            "a switch over every case of an error without a cast",
            """
                func run() async -> String {
                    do {
                        let lamp = try await shop.products.read(1)
                        return lamp.name
                    } catch {
                        switch error {
                        case .request(let failure): return "\\(failure)"
                        case .authorization(let failure): return "\\(failure)"
                        case .rejected(let failure): return "\\(failure)"
                        case .transport(let failure): return "\\(failure)"
                        case .timeout(let failure): return "\\(failure)"
                        case .cancelled(let failure): return "\\(failure)"
                        case .status(let failure): return "\\(failure.status)"
                        case .decoding(let failure): return "\\(failure)"
                        case .pagination(let failure): return "\\(failure)"
                        case .items(let failure): return "\\(failure)"
                        case .download(let failure): return "\\(failure)"
                        case .upload(let failure): return "\\(failure)"
                        case .middleware(let failure): return "\\(failure)"
                        }
                    }
                }
            """
        ),
    ]
}
