import Foundation
import Testing
import Waybill
import WaybillTesting

extension API {
    func report<Value: Decodable & Sendable>(
        _ path: Route.Path,
        _ keys: EnvelopeKey...,
        as type: Value.Type = Value.self
    ) -> Endpoint<Value> {
        endpoint {
            GET(path)
            Envelope(itemPath: keys, listPath: keys)
        }
    }
}

private enum Page {
    struct Shop: API {
        let client: Client

        func search(_ text: String, tags: [String] = [], limit: Int? = nil) -> Endpoint<[Product]> {
            endpoint {
                GET("products/search")
                Query("q", text)
                Query("tag", tags, as: .commaSeparated)
                Query("limit", limit)
            }
        }

        func restock(_ id: Product.ID, _ order: Restock) -> Endpoint<Void> {
            endpoint {
                POST("products/\(id)/orders")
                Body(order)
            }
        }
    }

    struct Product: Entity {
        let id: Int
        var name: String
    }

    struct Reports: API {
        let client: Client

        func result(at location: String) -> Endpoint<Summary> {
            endpoint {
                GET(at: location)  // /reports/7?sig=a%2Bb
                Query("format", "short")  // /reports/7?sig=a%2Bb&format=short
            }
        }
    }

    struct Restock: RequestContent { var count: Int }

    struct Summary: ResponseContent {
        let total: Int
    }

    struct Rating: RequestContent {
        var stars: Int
    }

    struct SKU: RawRepresentable, Codable, Hashable, PathSegmentConvertible {
        let rawValue: String
    }

    struct Part: Entity {
        let id: SKU  // "A/7" is sent as parts/A%2F7
        var name: String
    }

    struct Coordinate: PathSegmentConvertible {
        let latitude: Int
        let longitude: Int

        static func pathSegment(of value: Coordinate) -> String { "\(value.latitude),\(value.longitude)" }
    }

    struct Publisher: Representation, Hashable {
        var name: String
    }

    struct Book: Entity, Hashable {
        let id: Int
        var author: Author
        var publisher: Publisher

        struct Author: Codable, Hashable {
            var name: String
        }
    }

    struct User: Entity {
        let id: Int
        var name: String

        struct Draft: RequestContent { var name: String }
    }

    struct Directory: API {
        let client: Client

        var users: Resource<User, ReadWrite> {
            resource("users") {
                On(.list) { GET("users/active") }
                On(.read, .update) { Envelope("user") }
                On(.update) { PATCH() }
                On(.delete) { POST("\(.resource)/\(.id)/close") }
            }
        }

        var health: Endpoint<Void> {
            endpoint {
                GET("health")
                Timeout.none  // no time limit
                Observe.none  // no observers of outer scopes
                Use.none  // no middleware of outer scopes
            }
        }

        func products(_ isAdmin: Bool, _ isOld: Bool, _ tags: [String], _ order: Order) -> Endpoint<[Int]> {
            endpoint {
                GET("products")
                if isAdmin { Header("X-Role", "admin") }
                for tag in tags { Query("tag", tag) }
                switch order {
                case .newest: Query("sort", "-date")
                case .cheapest: Query("sort", "price")
                }
                Envelope(isOld ? "items" : "data")
            }
        }
    }

    enum Order { case newest, cheapest }
}

extension Style {
    static let house = Style("house style") {
        Header("X-Client", "ios")
        Envelope("data")
        Problem(Problem.Details.self)
    }
}

@Suite("Declaring.md")
struct DeclaringSamples {
    private let page = "Documentation/Declare/Declaring.md"
    private let url = Sample.url

    @Test("The header field in Declaring.md is read for each call")
    func changingField() async throws {
        let stub = StubTransport { _ in .json("[]") }
        func Client(_ url: URL, @Scope.Builder _ clauses: () -> Scope) -> Waybill.Client {
            Waybill.Client(url, transport: stub, clauses)
        }

        let client = Client(url) {
            Header("X-Theme") { UserDefaults.standard.string(forKey: "theme") }
        }

        defer { UserDefaults.standard.removeObject(forKey: "theme") }
        for theme in [nil, "dark"] {
            UserDefaults.standard.set(theme, forKey: "theme")
            _ = try await client.get("products", as: [Int].self)
        }
        #expect(stub.requests.map { $0.headerFields["X-Theme"] } == [nil, "dark"])
    }

    @Test("The endpoint in Declaring.md can be inspected and sent several times")
    func endpoint() async throws {
        let stub = StubTransport { _ in .json(#"[{"id":7,"name":"Lamp"}]"#) }
        let shop = Page.Shop(client: Client(url, transport: stub))

        let search = shop.search("desk lamp", tags: ["new", "sale"])
        try print(search.curl())  // the request as a curl command
        let hits = try await search.send()  // the value
        let response = try await search.response()  // the value, the status, header fields, bytes

        #expect(hits.map(\.name) == ["Lamp"])
        #expect(response.status == 200)
        #expect(stub.requests.map(\.query) == ["q=desk%20lamp&tag=new,sale", "q=desk%20lamp&tag=new,sale"])
        try await shop.restock(7, .init(count: 2)).send()
        #expect(stub.requests.last?.text == #"{"count":2}"#)
    }

    @Test("The one-line calls in Declaring.md send the expected requests")
    func oneLine() async throws {
        typealias User = Page.User
        let json = #"{"id":7,"name":"Bo"}"#
        let stub = StubTransport([
            "GET users": .json("[\(json)]"), "POST users": .json(json), "DELETE users/{}": .status(204),
            "GET ping": .text("pong"),
        ])
        let client = Client(url, transport: stub)
        let draft = User.Draft(name: "Bo")

        let users = try await client.get("users", as: [User].self) { Query("page", 2) }
        let bo = try await client.post("users", body: draft, as: User.self)
        try await client.delete("users/\(bo.id)")
        try await client.get("ping", as: Void.self)  // ignores the body

        #expect(users.map(\.name) == [bo.name])
        #expect(
            stub.requests.map { "\($0.method) \($0.url.absoluteString)" } == [
                "GET https://shop.example/users?page=2", "POST https://shop.example/users",
                "DELETE https://shop.example/users/7", "GET https://shop.example/ping",
            ]
        )
    }

    @Test("The request and response content in Declaring.md is sent and decoded")
    func content() async throws {
        let stub = StubTransport { _ in .json(#"{"total":7}"#) }
        let summary = try await Client(url, transport: stub).post(
            "ratings",
            body: Page.Rating(stars: 5),
            as: Page.Summary.self
        )
        #expect(summary.total == 7)
        #expect(stub.requests.map(\.text) == [#"{"stars":5}"#])
    }

    @Test("The path values in Declaring.md become segments, whatever their characters")
    func paths() throws {
        let client = Client(url, transport: StubTransport([:]))
        let (id, name) = (42, "a/b c")
        let paths: [(text: String, path: Route.Path)] = [
            (#""products/\(id)/reviews"`, id 42"#, "products/\(id)/reviews"),
            (#""files/\(name)"`, name `a/b c`"#, "files/\(name)"),
            (#""files/\(name).json"`, name `a/b c`"#, "files/\(name).json"),
            (#""repos/\(segments: ["app", "web"])"`"#, "repos/\(segments: ["app", "web"])"),
            (#""\(segments: folders)"`, no folders"#, "\(segments: [String]())"),
        ]
        let rows = try paths.map { text, path in
            let endpoint: Endpoint<Void> = client.endpoint { GET(path) }
            let sent = try endpoint.url.absoluteString.dropFirst("https://shop.example/".count)
            return try ["`" + text, sent.isEmpty ? "the base URL itself" : "`\(sent)`", "`\(endpoint.template)`"]
        }
        #expect(try Repository.page(page).rows(ofTableUnder: "Path") == rows)
    }

    @Test("An id of a custom type is one path segment and a JSON string")
    func ownIDs() async throws {
        let stub = StubTransport(["GET parts/{}": .json(#"{"id":"A/7","name":"Foot"}"#), "GET maps/{}": .json("[1]")])
        let client = Client(Sample.url, transport: stub)
        let parts: Resource<Page.Part, ReadOnly> = Page.Shop(client: client).resource("parts")
        #expect(try await parts.read(Page.SKU(rawValue: "A/7")).id == Page.SKU(rawValue: "A/7"))
        let place = Page.Coordinate(latitude: 52, longitude: 13)
        #expect(try await client.get("maps/\(place)", as: [Int].self) == [1])
        #expect(stub.requests.map(\.path) == ["/parts/A%2F7", "/maps/52%2C13"])
    }

    @Test("The helper in Declaring.md accepts literals as its path and keys")
    func helper() async throws {
        let stub = StubTransport(["GET years/{}": .json(#"{"rows":[{"total":3}]}"#)])
        let shop = Page.Shop(client: Client(Sample.url, transport: stub))
        let year = 2024
        #expect(try await shop.report("years/\(year)", "rows", 0, "total", as: Int.self).send() == 3)
    }

    @Test("The clauses turned off in Declaring.md have no effect on the call")
    func none() async throws {
        let events = Locked(0)
        let client = client {
            Timeout(.seconds(1))
            Observe { _ in events.withLock { $0 += 1 } }
        }
        let health = Page.Directory(client: client).health
        for name in ["Timeout", "Observe", "Use"] {
            let line = try health.explanation.split(separator: "\n").first { $0.contains("\(name): ") }
            #expect(line?.contains("none") == true)
        }
        _ = try? await health.send()
        #expect(events.withLock { $0 } == 0)
    }

    @Test("The array styles in Declaring.md produce the shown queries")
    func arrays() throws {
        let client = Client(url, transport: StubTransport([:]))
        let styles: [(String, Query.ArrayStyle)] = [
            ("`.repeated`", .repeated), ("`.commaSeparated`", .commaSeparated), ("`.brackets`", .brackets),
            ("`.indexed`", .indexed),
        ]
        #expect(styles.count == Query.ArrayStyle.allCases.count)
        let rows = try styles.map { name, style in
            let endpoint: Endpoint<Void> = client.endpoint {
                GET("a")
                Query("tag", ["a", "b"], as: style)
            }
            return [name, "`\(try endpoint.url.query()?.removingPercentEncoding ?? "")`"]
        }
        #expect(try Repository.page(page).rows(ofTableUnder: "Style") == rows)
    }

    @Test("The table in Declaring.md lists every clause")
    func clauses() throws {
        let files = try SwiftCode.sources.get().filter { path, _ in
            SwiftCode.modulesOfClauses.contains { path.hasPrefix("Sources/\($0)/") }
        }
        let clauses = files.values.flatMap(\.clauses)
        let listed = try Repository.page(page).rows(ofTableUnder: "Clause").flatMap { row in
            row[0].components(separatedBy: ", ").map { $0.replacingOccurrences(of: "`", with: "") }
        }
        // A scope is used as a clause only in custom initializers that forward clauses.
        #expect(Set(clauses).subtracting(["Scope"]) == Set(listed))
    }

    @Test("A scope overrides the style in Declaring.md")
    func style() throws {
        let client = Client(url) {
            Style.house
            Envelope("items")  // overrides the style's
        }
        let endpoint: Endpoint<[Int]> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("client, before house style: data"))
    }

    private func client(@Scope.Builder _ clauses: () -> Scope) -> Client {
        Client(url, transport: StubTransport([:]), clauses)
    }

    @Test("The operations in Declaring.md override the resource")
    func operations() throws {
        let users = Page.Directory(client: client {}).users
        let bo = Page.User(id: 7, name: "Bo")
        let plans = try [
            users.endpoints.list().plan(), users.endpoints.update(bo).plan(), users.endpoints.delete(7).plan(),
        ]
        #expect(
            plans.map { "\($0.method) \($0.url.path)" } == [
                "GET /users/active", "PATCH /users/7", "POST /users/7/close",
            ]
        )
        #expect(try users.endpoints.read(7).explanation.contains("Envelope: user"))
    }

    /// A builder for a list of bodies, because a request has only one.
    @resultBuilder private enum Bodies {
        static func buildBlock(_ bodies: Body...) -> [Body] { bodies }
    }

    private struct Login: RequestContent {
        var user = "ann"
        var scopes = ["read", "write"]
    }

    private let tags = ["new", "sale"]
    private let date = Date(timeIntervalSince1970: 0)
    private let scope: String? = nil

    @Bodies private func bodies(_ draft: Page.User.Draft, _ login: Login, _ png: Data, _ video: URL) -> [Body] {
        Body(draft)  // JSON, unless Body.Format or Encode declare another form
        Body(draft, under: "product")  // {"product":{…}}
        Body(["name": "Lamp", "price": 30])  // a literal, whose values may have several types
        Body(["tags": ["new", "sale"], "note": nil] as JSONValue)  // JSON of any shape, null included
        Body(form: ["grant_type": "password"])
        Body(form: ["page": 2, "since": date, "scope": scope])  // without scope if it is nil
        Body(form: tags.map { (name: "tag", value: $0) })  // a list made at run time
        Body(formEncoding: login)  // an Encodable, flattened as in a Query
        Body(png, contentType: "image/png")
        Body(file: video, contentType: "video/mp4")  // read for each attempt and redirect
    }

    @Test("The bodies of every kind in Declaring.md have the expected bytes")
    func bodies() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")
        try Data("film".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let client = client {}
        let texts = [
            #"{"name":"ann"}"#, #"{"product":{"name":"ann"}}"#, #"{"name":"Lamp","price":30}"#,
            #"{"note":null,"tags":["new","sale"]}"#, "grant_type=password",
            "page=2&since=1970-01-01T00%3A00%3A00Z", "tag=new&tag=sale",
            "user=ann&scopes=read&scopes=write", "png", "film",
        ]
        for (body, text) in zip(bodies(.init(name: "ann"), Login(), Data("png".utf8), file), texts) {
            let plan: Endpoint<Void> = client.endpoint {
                POST("a")
                body
            }
            #expect(String(decoding: try #require(try await plan.plan().body?.collect()), as: UTF8.self) == text)
        }
    }

    @Test("The control flow in Declaring.md builds a scope", arguments: [true, false])
    func controlFlow(isOn: Bool) throws {
        let client = client {}
        let (isAdmin, isOld, tags, order) = (isOn, isOn, ["a", "b"], isOn ? Page.Order.cheapest : .newest)
        let products = Page.Directory(client: client).products(isAdmin, isOld, tags, order)
        #expect(try products.url.query() == "tag=a&tag=b&sort=\(isOn ? "price" : "-date")")
        #expect(try products.headerFields.contains { $0.name.rawName == "X-Role" } == isOn)
        #expect(try products.explanation.contains("Envelope: \(isOn ? "items" : "data")"))
    }

    @Test("The diagnostics in Declaring.md match the sources")
    func messages() throws {
        let sources = try Repository.files(below: "Sources/Waybill", withExtension: "swift")
            .map { try Repository.text(of: $0) }.joined()
            .replacingOccurrences(of: "\\\"", with: "\"").replacingOccurrences(of: "\\\\", with: "\\")
            .replacingOccurrences(of: "`if`", with: "if")
        let rows = try Repository.page(page).rows(ofTableUnder: "Error").filter { $0[1].hasPrefix("`") }
        #expect(rows.count > 10)
        for row in rows {
            let message = row[1].replacingOccurrences(of: "`", with: "")
            #expect(sources.contains("\"\(message)\""), "\(message)")
        }
    }

    @Test("The error in Declaring.md lists every declaration error")
    func declarationErrors() async {
        let client = client {}
        let error = await Sample.failure {
            try await client.get("users/\("")", as: Int.self) { Header("X Y", "1") }
        }
        #expect(
            error?.description == """
                GET users/{} could not be built; nothing was sent
                  Header("X Y"): the name of a field is a token: letters, digits and marks such as -, without spaces
                  GET("users/{}"): a value in the path is empty; a request without it would go to another resource
                """
        )
    }
}
