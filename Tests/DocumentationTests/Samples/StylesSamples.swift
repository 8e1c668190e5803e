import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity, Equatable {
    let id: Int
    var name: String
}

private struct ShopProblem: ResponseContent, Equatable { let title: String }

private struct Included: ResponseContent, Equatable { let id: String }

private struct Shop: API {
    let client: Client

    init(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope) {
        client = Client(Sample.url, transport: StubTransport { _ in response }, clauses)
    }

    var products: Resource<Product, ReadWrite> { resource("products/") }
}

private let explanation = """
    GET products/                                               endpoint
      https://shop.example/products/
      Header Accept: application/json                           Waybill
      BodyLimits: 100000000 bytes                               Waybill
      Envelope: the whole body for an item, results for a list  Django REST framework
      Paginated: pageNumber("page", total: .value("count"))     endpoint, before Django REST framework: next(at: "next")
      Problem: DjangoProblem on 400...599                       Django REST framework
    """

@Suite("Styles.md")
struct StylesSamples {
    private static let page = "Documentation/Declare/Styles.md"
    private static let file = "Tests/DocumentationTests/Samples/StylesSamples.swift"

    private let url = Sample.url
    private let lamp = Product(id: 7, name: "Lamp")

    @Test(
        "The tables in Styles.md list the clauses in the sources",
        arguments: [
            ("Style.djangoREST", "Sources/Waybill/Resources/Styles/Style+DjangoREST.swift"),
            ("Style.jsonAPI", "Sources/Waybill/Resources/Styles/Style+JSONAPI.swift"),
        ]
    )
    func clauses(style: String, source: String) throws {
        let rows = try Repository.page(Self.page).rows(ofTableUnder: "`\(style)`")
        let lines = try Repository.text(of: source).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.contains(" = Style(") })
        let clauses = lines[(start + 1)...].prefix { $0 != "    }" }.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(!clauses.isEmpty)
        #expect(rows.map { $0[0] } == clauses.map { "`\($0)`" })
    }

    @Test("The overriding clauses in Styles.md compile", arguments: ["Style.djangoREST", "Style.jsonAPI"])
    func overridesCompile(style: String) throws {
        let lines = try Repository.text(of: Self.file).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        for row in try Repository.page(Self.page).rows(ofTableUnder: "`\(style)`") {
            let clauses = row[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            #expect(!clauses.isEmpty)
            for clause in clauses { #expect(lines.contains(clause), "\(clause)") }
        }
    }

    @Test(
        "Clauses override Django's style: its envelope, paging, problems and patch content type"
    )
    func django() async throws {
        let bare = Shop(.json(#"[{"id":7,"name":"Lamp"}]"#)) {
            Style.djangoREST
            Envelope.none
            Paginated.none
        }
        #expect(try await bare.products.list() == [lamp])
        await #expect(throws: APIError.self) { try await bare.products.page() }

        let numbered = Shop(.json(#"{"count":2,"next":"/x/","results":[{"id":7,"name":"Lamp"}]}"#)) {
            Style.djangoREST
            Paginated(.pageNumber("page", total: .value("count")))
            On(.patch) { Header(.contentType, "application/merge-patch+json") }
        }
        let page = try await numbered.products.page()
        #expect(page.total == 2)
        let next = try numbered.products.endpoints.list().pagePlan(at: #require(page.next))
        #expect(next.url.absoluteString == "https://shop.example/products/?page=2")
        let patch = numbered.products.endpoints.patch(7, lamp)
        #expect(try patch.headerFields[.contentType] == "application/merge-patch+json")

        let failing = Shop(.json(#"{"title":"no","detail":"No."}"#, status: 400)) {
            Style.djangoREST
            Problem(ShopProblem.self)
        }
        let first = await Sample.failure { try await failing.products.list() }
        #expect(first?.problem(as: ShopProblem.self) == ShopProblem(title: "no"))

        let bytes = Shop(.json(#"{"detail":"No."}"#, status: 400)) {
            Style.djangoREST
            Problem.none
        }
        let second = await Sample.failure { try await bytes.products.list() }
        #expect(second?.problem(as: Style.DjangoProblem.self) == nil)
    }

    @Test("Django's style in Styles.md decodes its list")
    func djangoAlone() async throws {
        let shop = Shop(.json(#"{"count":1,"next":null,"results":[{"id":7,"name":"Lamp"}]}"#)) { Style.djangoREST }
        let page = try await shop.products.page()
        #expect(page.items == [lamp])
        #expect(page.total == 1)
        #expect(page.next == nil)
        let patch = shop.products.endpoints.patch(7, lamp)
        #expect(try patch.headerFields[.contentType] == "application/json")
        let failing = Shop(.json(#"{"detail":"No."}"#, status: 400)) { Style.djangoREST }
        let error = await Sample.failure { try await failing.products.list() }
        #expect(error?.problem(as: Style.DjangoProblem.self)?.detail == "No.")
    }

    @Test("Clauses override JSON:API's style: its content types, both envelopes, paging and patches")
    func jsonAPI() async throws {
        let plain = Shop(.json(#"{"id":7,"name":"Lamp"}"#)) {
            Style.jsonAPI
            Header(.accept, "application/json")
            Encode(contentType: "application/json")
            Envelope.none
            Body.Format()
            Paginated(.pageNumber("page[number]", size: .query("page[size]", 20)))
            On(.patch) { Body.Differences(keeping: "id") }
        }
        let update = plain.products.endpoints.update(lamp)
        #expect(try update.headerFields[.accept] == "application/json")
        #expect(try update.headerFields[.contentType] == "application/json")
        #expect(try update.body == Data(#"{"id":7,"name":"Lamp"}"#.utf8))
        #expect(try await plain.products.read(7) == lamp)
        let query = try plain.products.endpoints.list().pagePlan().url.query(percentEncoded: false)
        #expect(query == "page[number]=1&page[size]=20")
        let renamed = try plain.products.endpoints.patch(from: lamp, to: Product(id: 7, name: "Desk lamp"))
        #expect(try renamed?.body == Data(#"{"id":7,"name":"Desk lamp"}"#.utf8))
    }

    @Test("JSON:API's style in Styles.md decodes its list, with metadata beside the data")
    func jsonAPIAlone() async throws {
        let shop = Shop(.json(#"{"data":[{"id":7,"name":"Lamp"}],"included":[{"id":"a"}],"links":{"next":"/n"}}"#)) {
            Style.jsonAPI
            Metadata([Included].self, at: "included")
        }
        let page = try await shop.products.page()
        #expect(page.items == [lamp])
        #expect(page.next != nil)
        #expect(page.response.metadata([Included].self) == [Included(id: "a")])
        let patch = shop.products.endpoints.patch(7, lamp)
        #expect(try patch.headerFields[.contentType] == "application/vnd.api+json")
        let renamed = try shop.products.endpoints.patch(from: lamp, to: Product(id: 7, name: "Desk lamp"))
        #expect(try renamed?.body == Data(#"{"data":{"id":7,"name":"Desk lamp"}}"#.utf8))
        let update = shop.products.endpoints.update(lamp)
        #expect(try update.headerFields[.accept] == "application/vnd.api+json")
        #expect(try update.headerFields[.contentType] == "application/vnd.api+json")
        #expect(try update.body == Data(#"{"data":{"id":7,"name":"Lamp"}}"#.utf8))
    }

    @Test("The explanation in Styles.md names the style")
    func named() throws {
        let client = Client(url) {
            Style.djangoREST
        }

        let products: Endpoint<[Product]> = client.endpoint {
            GET("products/")
            Paginated(.pageNumber("page", total: .value("count")))
        }
        print(try products.explanation)

        #expect(try products.explanation == explanation)
    }
}
