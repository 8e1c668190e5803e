import Foundation
import Testing
import Waybill
import WaybillBenchmarking
import WaybillTesting

/// The code of the first two blocks of README.md.
private struct Page {
    struct Product: Entity {  // Codable, Identifiable, Sendable
        let id: Int
        var name: String
        var price: Decimal

        struct Draft: RequestContent {  // the body of a POST: the server assigns the id
            var name: String
            var price: Decimal
        }
    }

    struct Review: Entity {
        let id: Int
        var stars: Int
    }

    struct ShopProblem: ResponseContent {  // the body of a failed response
        let title: String
    }

    struct Shop: API {
        let client: Client

        init(_ url: URL, token: String, transport: some Transport = .default) {
            client = Client(url, transport: transport) {  // clauses for every call
                Authorization(.bearer(token))
                Envelope("data")
                Problem(ShopProblem.self)
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
                Query("limit", limit)  // left out if it is nil
                Envelope("results", "items")  // replaces the client's
            }
        }
    }

    func browse(_ shop: Shop) {
        Task {
            do throws(APIError) {  // makes `error` an APIError, in a Task too
                let lamp = try await shop.products.create(.init(name: "Lamp", price: 30))
                let same = try await shop.products.read(lamp.id)
                let hits = try await shop.search(same.name).send()
                print(hits.count)

                var all = shop.products.all.makeAsyncIterator()
                while let product = try await all.next() {  // page after page, when the loop reaches it
                    print(product.name)
                }

                let page = try await shop.products.page()
                if let saved = page.next {  // a cursor to store
                    print(try await shop.products.page(at: saved).items)
                }
            } catch {
                switch error {
                case .status(let failure): print(failure.problem(as: ShopProblem.self)?.title ?? "\(failure.status)")
                case .transport, .timeout: print("offline?")
                default: print(error)
                }
            }
        }
    }
}

struct Prefixed: ResponseDecoder {  // each body starts with a line that is not JSON
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try WaybillJSONDecoder().decode(type, from: data.drop { $0 != UInt8(ascii: "\n") })
    }
}

private let gerrit = Client(Sample.url) {
    Decode(with: Prefixed())  // also accepts JSONDecoder() and PropertyListDecoder()
}

private struct Commit: ResponseContent, Equatable {
    var id: Int
}

@Suite("README.md")
struct ReadmeSamples {
    @Test("The decoder in README.md decodes a body after its first line")
    func decoder() async throws {
        let stub = StubTransport(["GET commits/1": .text(")]}'\n{\"data\":{\"id\":1}}")])
        let client = Client(Sample.url, transport: stub) {
            Decode(with: Prefixed())
            Envelope("data")
        }
        #expect(try await client.get("commits/1", as: Commit.self) == Commit(id: 1))
    }

    @Test("The benchmark in README.md measures both decoders")
    func benchmark() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(#"{"data":[{"id":1},{"id":2}]}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let commits = DecodingBenchmark(
            "commits",
            decoding: [Commit].self,
            from: try Data(contentsOf: file),
            in: Envelope("data"),
            by: [.decoder(JSONDecoder()), .decoder(WaybillJSONDecoder())]
        )
        let results = try await commits.run(rounds: 20)
        #expect(results.table.contains("MB/s"))
        #expect(results.rows.count == 2)
    }

    @Test("The sample in README.md sends the expected requests")
    func calls() async throws {
        let lamp: JSONValue = ["id": 7, "name": "Lamp", "price": 30]
        let stub = StubTransport([
            "POST products": .json(["data": lamp] as JSONValue, status: 201),
            "GET products/{}": .json(["data": lamp] as JSONValue),
            "GET products/search": .json(["results": ["items": [lamp]]] as JSONValue),
            "GET products": .response { request in
                guard request.query("after") == nil else { return .json(#"{"data":[],"meta":{"next":null}}"#) }
                return .json(["data": [lamp], "meta": ["next": "b"]] as JSONValue)
            },
            "GET products/{}/reviews": .json(#"{"data":[{"id":1,"stars":5}]}"#),
        ])
        let shop = Page.Shop(Sample.url, token: "open-sesame", transport: stub)
        Page().browse(shop)
        await stub.waitForRequests(count: 7)
        #expect(
            stub.requests.map { "\($0.method) \($0.path)\($0.query.map { "?\($0)" } ?? "") \($0.text)" } == [
                #"POST /products {"name":"Lamp","price":30}"#,
                "GET /products/7 ",
                "GET /products/search?q=Lamp ",
                "GET /products ",
                "GET /products?after=b ",
                "GET /products ",
                "GET /products?after=b ",
            ]
        )
        #expect(stub.requests.allSatisfy { $0.headerFields[.authorization] == "Bearer open-sesame" })
        #expect(try await shop.reviews(of: 7).list().map(\.stars) == [5])
    }

    @Test("The text of a decoding error matches README.md")
    func error() async {
        let stub = StubTransport { _ in .json(#"{"data":{"id":7,"name":"Lamp","prize":30}}"#) }
        let shop = Page.Shop(Sample.url, token: "open-sesame", transport: stub)
        let error = await Sample.failure { try await shop.products.read(7) }
        #expect(
            error?.description == """
                GET products/{} returned 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  data (line 1, column 9): the key "price" is missing; did you mean "prize"?
                      {"data":{"id":7,"name":"Lamp","prize":30}}
                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                """
        )
    }
}
