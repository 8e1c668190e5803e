import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillStore
import WaybillTesting

private struct Product: Entity, Equatable {
    let id: Int
    var name: String

    struct Draft: Codable, Sendable { var name: String }
}

private struct Review: Entity, Equatable {
    let id: Int
    var stars: Int
}

private struct Shop: API {
    let client: Client

    init(_ url: URL) { client = Client(url) }

    init(_ url: URL, transport: any Transport) { client = Client(url, transport: transport) }

    var products: Resource<Product, ReadWrite> { resource("products") }

    func reviews(of product: Int) -> Resource<Review, ReadOnly> {
        resource("products/\(product, name: "product")/reviews")
    }

    func search(_ text: String, limit: Int) -> Endpoint<[Product]> {
        endpoint {
            GET("search")
            Query("q", text)
            Query("limit", limit)
        }
    }
}

extension Shop: DescribedAPI {
    var calls: APIDescription {
        products
        reviews(of: 7)
        search("lamp", limit: 10)
    }
}

private struct Account: Entity {
    let id: Int
    var iban: String
}

private struct Bank: API {
    let client: Client

    var accounts: Resource<Account, ReadOnly> { resource("accounts") }
    var recordedAccount: Data { Data(#"{"id": 1, "iban": "DE02120300000000202051"}"#.utf8) }
}

extension Bank: DescribedAPI {
    var calls: APIDescription {
        accounts
        APIDescription.Samples(recordedAccount)
    }
}

@Suite("Describing.md and Mocking.md")
struct DescribingSamples {
    private let url = Sample.url
    private let lamp = Product(id: 1, name: "Lamp")
    private let rug = Product(id: 2, name: "Rug")

    @Test("Describing.md: a document written to a file is read back without findings") func document() throws {
        let shop = Shop(url)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }

        let document = try shop.openAPI(title: "Shop", version: "1")
        try document.write(to: file)

        #expect(try compare(with: Data(contentsOf: file)) == [])
    }

    private func compare(with data: Data) throws -> [String] {
        let shop = Shop(url)
        var lines: [String] = []
        func print(_ finding: OpenAPIDocument.Finding) { lines.append("\(finding)") }
        let document = try OpenAPIDocument(data)
        for finding in try shop.compare(with: document) where finding.severity > .information {
            print(finding)
        }
        return lines
    }

    @Test("Describing.md: the schema of a type is printed") func schema() {
        var text = ""
        func print(_ json: JSONValue) { text = "\(json)" }
        let schema = JSONSchema.Document(of: Product.self)
        print(schema.json)
        #expect(text.contains(#""required":["id","name"]"#))
    }

    @Test("Mocking.md: a server stores created entities") func server() async throws {
        let server = try MockServer(Shop(url)) { Seeds([lamp, rug]) }
        let shop = Shop(server.url)

        let chair = try await shop.products.create(.init(name: "Chair"))
        let names = try await shop.products.list().map(\.name)
        #expect(chair.id == 3)
        #expect(names == ["Lamp", "Rug", "Chair"])
    }

    @Test("Mocking.md: overriding responses and a stub are used") func others() async throws {
        let busy = try MockServer(Shop(url), overriding: ["GET products/{}": .status(503)])
        let error = await #expect(throws: APIError.self) { try await Shop(busy.url).products.read(1) }
        #expect(error?.status == 503)

        let stub = StubTransport(try .mocking(Shop(url)) { Seeds([lamp]) })
        #expect(try await Shop(url, transport: stub).products.read(1) == lamp)
    }

    @Test("Mocking.md: a store synchronizes with a mock server after an interruption") func store() async throws {
        let changes = MockServer.Changes(at: "products", updated: "updated_at", since: "since", deleted: "deleted_at")
        let server = try MockServer(Shop(url), changes: [changes]) { Seeds([lamp, rug]) }
        let store = try await Store.inMemory(settings: StoreSettings(sendsAutomatically: false))

        let network = InterruptibleTransport()
        let products = store.collection(Shop(server.url, transport: network).products)
        network.interrupt()
        try await products.create(.init(name: "Chair"))  // waits in the outbox
        network.restore()
        try await store.synchronize()
        #expect(try await products.elements().map(\.name).sorted() == ["Chair", "Lamp", "Rug"])
        await store.close()
    }

    @Test("Mocking.md: seeds have three forms") func seeds() async throws {
        let review = Review(id: 1, stars: 5)
        @Seeds.Builder var seeds: [Seeds] {
            Seeds([lamp, rug])
            Seeds([review], at: "products/7/reviews")
            Seeds(json: #"[{"id": 7, "name": "Lamp"}]"#, at: "products")
        }
        #expect(seeds.count == 3)
    }
}
