import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct Shop: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) { client = Client(url, transport: transport) }

    var products: Resource<Product, ReadWrite> { resource("products") }

    func search(_ text: String) -> Endpoint<[Product]> {
        endpoint {
            GET("products/search")
            Query("q", text)
        }
    }
}

@Suite("Testing.md", .inTurn)
struct TestingSamples {
    private let url = Sample.url
    private let shop = Shop(Sample.url)

    @Test func searching() throws {
        let search = shop.search("desk lamp")
        #expect(try search.url.absoluteString == "https://shop.example/products/search?q=desk%20lamp")
    }

    @Test func reading() async throws {
        let stub = StubTransport([
            "GET products/{}": .json(#"{"id":7,"name":"Lamp"}"#),
            "DELETE products/{}": .sequence([.status(204), .status(404)]),
            "POST products": .response { request in .json(request.text, status: 201) },
        ])
        let shop = Shop(url, transport: stub)

        #expect(try await shop.products.read(7).name == "Lamp")
        #expect(stub.requests.map(\.template) == ["products/{}"])
    }

    @Test func versions() async throws {
        let stub = StubTransport([
            "GET products/{}": .json(#"{"id":7,"name":"Lamp"}"#).header("ETag", #""v1""#),
            "PUT products/{}": .sequence([
                .status(503).header("Retry-After", "0"),
                .json(#"{"id":7,"name":"Desk lamp"}"#, headers: [HTTPField(name: .eTag, value: #""v2""#)]),
            ]),
        ])
        let shop = Shop(url, transport: stub)

        let read = try await shop.products.endpoints.read(7).response()
        #expect(read.entityTag == HTTPField.EntityTag(#""v1""#))

        let update = shop.products.endpoints.update(Product(id: 7, name: "Desk lamp"))
        let written = try await update.with {
            IfMatch(read)
            Retry(backoff: .none)
        }.response()
        #expect(written.headerFields[.eTag] == #""v2""#)
        #expect(stub.requests.map { $0.headerFields[.ifMatch] } == [nil, #""v1""#, #""v1""#])
    }

    @Test func losing() async throws {
        let stub = StubTransport { _ in .failure(TransportError(.connectionLost)) }
        let shop = Shop(url, transport: stub)

        await #expect(throws: APIError.self) { try await shop.products.read(7) }
    }

    @Test func breakingOff() async throws {
        try await LoopbackServer.run([
            "GET products": .json(#"[{"id":7,"name":"Lamp"}]"#).truncated(afterBytes: 5)
        ]) { server in
            let shop = Shop(server.url)
            await #expect(throws: APIError.self) { try await shop.products.list() }
            #expect(server.requests.first?.wire?.requestLine == "GET /products HTTP/1.1")
        }
    }

    @Test func timingOut() async throws {
        let clock = ManualClock()
        let client = Client(url, transport: StubTransport { _ in .never }, clock: clock) {
            Timeout(.seconds(5))
        }
        let task = Task { try await client.get("slow", as: Int.self) }

        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))

        await #expect(throws: APIError.self) { try await task.value }
    }

    @Test func cancelling() async throws {
        let gate = Gate()
        let stub = StubTransport(["GET products": .json("[]").held(by: gate)])
        let shop = Shop(url, transport: stub)
        let task = Task { try await shop.products.list() }

        await stub.waitForRequests(count: 1)  // the request is in flight, without a response
        task.cancel()

        await #expect(throws: APIError.self) { try await task.value }
    }

    @Test("The table in Testing.md lists the error of a stub for each misbehavior")
    func table() async throws {
        let gate = Gate()
        gate.open()
        let rows: [(code: String, response: StubResponse, kind: TransportError.Kind?)] = [
            (".delayed(.seconds(1))", .json("1").delayed(.zero), nil),
            (".held(by: gate)", .json("1").held(by: gate).bodyHeld(by: gate), nil),
            (".never", .json("1"), nil),
            (".dripped(bytes: 1, every: .zero)", .json("1").dripped(bytes: 1, every: .zero), nil),
            (".chunked(bytes: 4)", .json("1").chunked(bytes: 4), nil),
            (".truncated(afterBytes: 5)", .json("[1, 2, 3]").truncated(afterBytes: 5), .connectionLost),
            (".closed(.insideHead)", .json("1").closed(.insideHead), .connectionLost),
            (".closing(announced: false)", .json("1").closing(announced: false), nil),
            (".garbage", .garbage, .invalidResponse),
        ]
        let said = try Repository.page("Documentation/Test/Testing.md").rows(ofTableUnder: "Response")
        try #require(said.count == rows.count)
        for (cells, row) in zip(said, rows) {
            try #require(cells.count == 3)
            #expect(cells[0].hasPrefix("`\(row.code)`"))
            let client = Client(url, transport: StubTransport { _ in row.response })
            let error = await Sample.failure { try await client.get("a", as: Int.self) }
            guard case .transport(let failure) = error else {
                #expect(error == nil && row.kind == nil, "\(row.code)")
                continue
            }
            #expect("\(failure.error.kind)" == cells[2].replacingOccurrences(of: "`", with: ""), "\(row.code)")
            #expect(failure.error.kind == row.kind)
        }
    }
}
