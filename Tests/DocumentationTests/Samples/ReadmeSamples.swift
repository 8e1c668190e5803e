import Foundation
import Testing
import Waybill
import WaybillTesting

/// What the sample in README.md declares.
private enum Page {
    struct Product: Entity {  // Codable, Identifiable, Sendable
        let id: Int
        var name: String
        var price: Decimal

        struct Draft: Encodable, Sendable {  // what POST takes: the server gives the id
            var name: String
            var price: Decimal
        }
    }

    struct Shop: API {
        let client: Client

        init(_ url: URL, tokens: Tokens, transport: some Transport = .default) {
            client = Client(url, transport: transport) {  // what holds for every call
                Authorization(.bearer { try await tokens.current() })
                Envelope("data")
                Problem(ShopProblem.self)  // the typed body of a failed response
            }
        }

        var products: Resource<Product, ReadWrite> {
            resource("products") {
                Paginated(.cursor(at: "meta", "next", as: "after"))
            }
        }

        func reviews(of product: Product.ID) -> Resource<Review, ReadOnly> {
            resource("products/\(product)/reviews")
        }

        func search(_ text: String, limit: Int? = nil) -> Endpoint<[Product]> {
            endpoint {
                GET("products/search")
                Query("q", text)
                Query("limit", limit)  // nothing where it is nil
                Envelope("results", "items")  // in place of the client's
            }
        }
    }

    struct Review: Entity {
        let id: Int
        var stars: Int
    }

    struct ShopProblem: Decodable, Sendable { let title: String }

    struct Tokens { func current() async throws -> String { "open-sesame" } }
}

@Suite("README.md")
struct ReadmeSamples {
    @Test("The sample makes the calls that it reads like")
    func calls() async throws {
        let lamp: JSONValue = ["id": 7, "name": "Lamp", "price": 30]
        let stub = StubTransport([
            "POST products": .json(["data": lamp] as JSONValue, status: 201),
            "GET products/{}": .json(["data": lamp] as JSONValue),
            "GET products/search": .json(["results": ["items": [lamp]]] as JSONValue),
            "GET products": .answer { request in
                guard request.query("after") == nil else { return .json(#"{"data":[],"meta":{"next":null}}"#) }
                return .json(["data": [lamp], "meta": ["next": "b"]] as JSONValue)
            },
            "GET products/{}/reviews": .json(#"{"data":[{"id":1,"stars":5}]}"#),
        ])
        let shop = Page.Shop(Sample.url, tokens: Page.Tokens(), transport: stub)
        let saved = try #require(await shop.products.page().next)
        try await use(shop, saved)
        #expect(
            stub.requests.map { "\($0.method) \($0.path)\($0.query.map { "?\($0)" } ?? "") \($0.text)" } == [
                "GET /products ",
                #"POST /products {"name":"Lamp","price":30}"#,
                "GET /products/7 ",
                "GET /products/search?q=lamp ",
                "GET /products ",
                "GET /products?after=b ",
                "GET /products?after=b ",
            ]
        )
        #expect(stub.requests.allSatisfy { $0.headerFields[.authorization] == "Bearer open-sesame" })
        #expect(try await shop.reviews(of: 7).list().map(\.stars) == [5])
    }

    private func use(_ shop: Page.Shop, _ saved: Cursor) async throws {
        let lamp = try await shop.products.create(.init(name: "Lamp", price: 30))
        let same = try await shop.products.read(lamp.id)
        let hits = try await shop.search("lamp").send()

        for try await product in shop.products.all {  // every page, when the loop gets there
            print(product.name)
        }

        let page = try await shop.products.page(after: saved)  // from a cursor that was kept
        print(page.items, page.hasMore)
        #expect(lamp.id == same.id)
        #expect(hits.count == 1)
    }

    @Test("The error says where")
    func error() async {
        let stub = StubTransport { _ in .json(#"{"data":{"id":7,"name":"Lamp","prize":30}}"#) }
        let shop = Page.Shop(Sample.url, tokens: Page.Tokens(), transport: stub)
        let error = await Sample.failure { () async throws(APIError) in try await shop.products.read(7) }
        #expect(
            error?.description == """
                GET products/{} answered 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  data (line 1, column 9): the key "price" is missing; did you mean "prize"?
                      {"data":{"id":7,"name":"Lamp","prize":30}}
                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                """
        )
    }
}
