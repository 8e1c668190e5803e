import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Mock servers")
struct MockServerTests {
    private let server: MockServer
    private let shop: Shop

    init() throws {
        server = try MockServer(Shop()) {
            Seeds([Shop.Product.lamp, .rug, .rack])
        }
        shop = Shop(server.url)
    }

    @Test("Seeds are listed and read") func seeds() async throws {
        #expect(try await shop.products.read(2) == .rug)
        let page = try await shop.products.page()
        #expect(page.items == [.lamp, .rug])
        #expect(page.total == 3)
    }

    @Test("All pages are walked with the declared scheme") func pages() async throws {
        var names: [String] = []
        for try await product in shop.products.all { names.append(product.name) }
        #expect(names == ["Lamp", "Rug", "Rack"])
    }

    @Test("Created, changed and deleted entities stay that way") func writing() async throws {
        let chair = try await shop.products.create(.init(name: "Chair", unitPrice: 35))
        #expect(chair.id == 4)
        #expect(chair.kind == .lamp)
        #expect(try await shop.products.read(4) == chair)
        let cheaper = try await shop.products.patch(4, .init(unitPrice: 30))
        #expect(cheaper.unitPrice == 30 && cheaper.name == "Chair")
        var renamed = cheaper
        renamed.name = "Stool"
        #expect(try await shop.products.update(renamed) == renamed)
        try await shop.products.delete(4)
        await #expect(throws: APIError.self) { try await shop.products.read(4) }
    }

    @Test("A batch creates or updates several entities") func batches() async throws {
        let created = try await shop.products.create([
            .init(name: "Chair", unitPrice: 35), .init(name: "Table", unitPrice: 120),
        ])
        #expect(created.map(\.id) == [4, 5])
        var table = created[1]
        table.unitPrice = 99
        #expect(try await shop.products.update([table]) == [table])
        #expect(try await shop.products.read(5).unitPrice == 99)
    }

    @Test("Nested resources of different parents have separate entities") func nested() async throws {
        let review = try await shop.reviews(of: 1).create(.init(id: UUID(), stars: 5))
        #expect(try await shop.reviews(of: 1).list() == [review])
        #expect(try await shop.reviews(of: 2).list() == [])
    }

    @Test("A seed with an uppercase UUID is found by its id") func uppercaseSeed() async throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let seeds = Seeds(json: #"[{"id":"\#(id.uuidString)","stars":5}]"#, at: "products/1/reviews")
        let server = try MockServer(Shop()) { seeds }
        #expect(try await Shop(server.url).reviews(of: 1).read(id).stars == 5)
    }

    @Test("A singleton exists from the start and keeps updates") func singleton() async throws {
        #expect(try await shop.profile.read() == .init(name: "text", email: "text"))
        try await shop.profile.update(.init(name: "Ada", email: "ada@example.com"))
        #expect(try await shop.profile.read().name == "Ada")
    }

    @Test("An endpoint returns a value of its type") func endpoints() async throws {
        #expect(try await shop.search("lamp").send().map(\.kind) == [.lamp])
        try await shop.upload(Data([1, 2])).send()
    }

    @Test("An unknown id gets the declared problem") func unknownID() async throws {
        let error = await #expect(throws: APIError.self) { try await shop.products.read(99) }
        #expect(error?.isNotFound == true)
        #expect(error?.problem(as: Shop.Fault.self)?.message == "There is no entity 99.")
    }

    @Test("A request whose precondition fails gets 412, and one whose precondition holds succeeds") func conditions()
        async throws
    {
        let response = try await shop.products.endpoints.read(1).response()
        let tag = try #require(response.entityTag)
        _ = try await shop.products.with { IfMatch(tag) }.patch(1, .init(name: "Lantern"))
        let error = await #expect(throws: APIError.self) {
            try await shop.products.with { IfMatch(tag) }.patch(1, .init(name: "Torch"))
        }
        #expect(error?.status == 412)
        #expect(try await shop.products.read(1).name == "Lantern")
    }

    @Test(
        "Invalid bodies are rejected and change nothing",
        arguments: [
            ("application/json", #"{"name": "Chair"}"#, 422),
            ("application/json", #"{"name": 7, "unit_price": 1}"#, 422),
            ("application/json", "{", 400),
            ("text/plain", "Chair", 415),
        ]
    )
    func bodies(type: String, body: String, status: Int) async throws {
        let client = Client(server.url) {}
        let call: Endpoint<Void> = client.endpoint {
            POST("products")
            Body(Data(body.utf8), contentType: type)
        }
        let error = await #expect(throws: APIError.self) { try await call.send() }
        #expect(error?.status?.code == status)
        #expect(try await shop.products.page().total == 3)
    }

    @Test("An undeclared method on a declared path gets 405 with the allowed methods") func methods() async throws {
        let client = Client(server.url) {}
        let error = await #expect(throws: APIError.self) { try await client.endpoint { DELETE("search") }.send() }
        #expect(error?.status == 405)
        #expect("\(error.map { "\($0)" } ?? "")".contains("only GET"))
    }

    @Test("An undeclared request gets 501 with its method and path") func unknownRequests() async throws {
        let client = Client(server.url) {}
        let error = await #expect(throws: APIError.self) { try await client.endpoint { GET("baskets") }.send() }
        #expect(error?.status == 501)
        #expect("\(error.map { "\($0)" } ?? "")".contains("No response for GET baskets."))
    }

    @Test("An overriding response replaces the declared behavior") func overrides() async throws {
        let server = try MockServer(
            Shop(),
            overriding: ["GET products/{}": .sequence([.status(503), .json(#"{"data": {}}"#)])]
        )
        let error = await #expect(throws: APIError.self) { try await Shop(server.url).products.read(1) }
        #expect(error?.status == 503)
        #expect(try await Shop(server.url).products.list() == [])
    }

    @Test("A stub has the same behavior without a socket") func stub() async throws {
        let stub = StubTransport(
            try StubResponses.mocking(Shop()) { Seeds(json: #"[{"id": 9, "stars": 4}]"#, at: "products/7/reviews") }
        )
        let shop = Shop(transport: stub)
        try await shop.profile.update(.init(name: "Ada", email: "ada@example.com"))
        #expect(try await shop.profile.read().name == "Ada")
    }

    @Test("Seeds without a matching resource throw an error with advice") func seedErrors() {
        let strange = #expect(throws: Seeds.Failure.self) { try MockServer(Shop()) { Seeds(["text"]) } }
        #expect(
            strange?.description
                == "No resource of String is described; list it, or pass the path: Seeds(…, at: \"products\")."
        )
        let nested = #expect(throws: Seeds.Failure.self) {
            try MockServer(Shop()) { Seeds([Shop.Review(id: UUID(), stars: 1)]) }
        }
        #expect(nested?.description.contains("products/{}/reviews") ?? false)
        let elsewhere = #expect(throws: Seeds.Failure.self) {
            try MockServer(Shop()) { Seeds(json: "[]", at: "baskets") }
        }
        #expect(elsewhere?.description.hasPrefix("No described resource is at baskets") ?? false)
    }

    @Test("Every built-in paging scheme is walked to the end", arguments: Thoroughness.some(SchemeRow.all, oneIn: 4))
    func schemes(_ row: SchemeRow) async throws {
        let api = Paged(scheme: row.scheme)
        let seeds = (1...7).map { Shop.Totals2(id: $0) }
        let server = try MockServer(api) { Seeds(seeds) }
        var numbers: [Int] = []
        for try await item in Paged(server.url, scheme: row.scheme).items.all { numbers.append(item.id) }
        #expect(numbers == Array(1...7))
        #expect(server.requests.count >= 3)
        #expect(try await Paged(server.url, scheme: row.scheme).found.all.collect().count == 1)
        #expect(try await Paged(server.url, scheme: row.scheme).bare.send().count == 1)
    }

    struct SchemeRow: Sendable, CustomTestStringConvertible {
        let scheme: Paginated.Scheme
        var testDescription: String { "\(scheme)" }

        static let all = [
            SchemeRow(scheme: .pageNumber(size: .query("size", 3), total: .value("total"))),
            SchemeRow(scheme: .pageNumber("p", startingAt: 0, size: .query("size", 3), pageCount: .value("pages"))),
            SchemeRow(scheme: .pageNumber(size: .query("size", 3))),
            SchemeRow(scheme: .offset(size: .query("size", 3), total: .value("total"))),
            SchemeRow(scheme: .cursor(at: "next", as: "token", size: .query("size", 3))),
            SchemeRow(scheme: .cursor(field: "Next-Token", as: "token", size: .query("size", 3))),
            SchemeRow(scheme: .cursor(at: "next", as: "token", size: .query("size", 3), hasMore: .value("more"))),
            SchemeRow(scheme: .after(lastItem: "id", as: "after", hasMore: .value("more"), size: .query("size", 3))),
            SchemeRow(scheme: .offset(size: .query("size", 3), startsOver: true)),
            SchemeRow(scheme: .pageNumber(size: .query("size", 3), startsOver: true)),
            SchemeRow(scheme: .link(size: .query("size", 3))),
            SchemeRow(scheme: .link(size: .query("size", 3), keepsQuery: true)),
            SchemeRow(scheme: .next(at: "links", "next", size: .query("size", 3))),
            SchemeRow(scheme: .next(field: "Next-Page", size: .query("size", 3))),
            SchemeRow(scheme: .pageNumber(.body("page"), size: .body("size", count: 3), total: .value("total"))),
            SchemeRow(scheme: .offset(.body("page", "from"), size: .body("page", "size", count: 3))),
            SchemeRow(scheme: .cursor(at: "next", as: .body("token"), size: .body("size", count: 3))),
        ]
    }
}

private struct Paged: DescribedAPI {
    let client: Client
    let scheme: Paginated.Scheme

    init(_ url: URL = URL(filePath: "/"), scheme: Paginated.Scheme) {
        client = Client(url.isFileURL ? URL(string: "https://paged.example") ?? url : url) {}
        self.scheme = scheme
    }

    var items: Resource<Shop.Totals2, ReadOnly> {
        resource("items") {
            Envelope(list: "data")
            Paginated(scheme)
        }
    }

    var found: Endpoint<[Shop.Totals2]> {
        endpoint {
            GET("found")
            Envelope(list: "data")
            Paginated(scheme)
        }
    }

    var bare: Endpoint<[Shop.Totals2]> {
        endpoint {
            GET("bare")
            Paginated(scheme)
        }
    }

    var calls: APIDescription {
        items
        found
        bare
    }
}

extension Shop {
    struct Totals2: Entity { var id: Int }
}
