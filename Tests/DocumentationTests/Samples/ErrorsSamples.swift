import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
    var price: Decimal?

    struct Draft: Encodable, Sendable { var name: String }
}

private struct ShopProblem: Decodable, Sendable, CustomStringConvertible {
    let title: String
    var description: String { title }
}

private struct FieldError: Decodable, Sendable { let field: String }

private struct Refusal: Decodable, Sendable { let ok: Bool }

private enum Bulk: BatchCreatable {}

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadWrite> { resource("products") }

    var bulk: Resource<Product, Bulk> { resource("products") { BatchProblem(ShopProblem.self, at: "error") } }
}

func retrying<Value>(_ call: () async throws(APIError) -> Value) async throws(APIError) -> Value {
    do {
        return try await call()
    } catch .transport {
        return try await call()
    }
}

private struct Locked: Error, CustomStringConvertible { var description: String { "the token store is locked" } }

private struct Full: Middleware {
    struct DiskFull: Error, CustomStringConvertible { var description: String { "the disk is full" } }

    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        throw call.failure(DiskFull())
    }
}

@Suite("Errors.md")
struct ErrorsSamples {
    private let url = Sample.url

    private func shop(_ answer: Answer, @ScopeBuilder _ clauses: () -> Scope = { Scope() }) -> Shop {
        Shop(client: Client(Sample.url, transport: StubTransport { _ in answer }, clauses))
    }

    @Test("A switch without casts")
    func cases() async {
        let shop = shop(.status(404))

        do {
            let lamp = try await shop.products.read(7)
            print(lamp.name)
        } catch {
            switch error {
            case .status(let failure) where failure.isNotFound: print("there is no such product")
            case .status(let failure): print(failure.problem(as: ShopProblem.self)?.title ?? "\(failure.status)")
            case .transport, .timeout: print("offline?")
            case .cancelled: break
            default: print(error)
            }
        }

        let error = await Sample.failure { () async throws(APIError) in try await shop.products.read(7) }
        #expect(error?.isNotFound == true)
    }

    @Test("The table has every case")
    func table() throws {
        let source = try Repository.text(of: "Sources/Waybill/Failures/APIError.swift")
        let cases = source.matches(of: /\n    case (\w+)\(\w+Failure\)/).map { "`\($0.output.1)`" }
        let rows = try Repository.page("Documentation/Errors.md").rows(ofTableUnder: "Case")
        #expect(rows.map { $0[0] } == cases)
    }

    @Test("Beside other errors, the type is caught by its name")
    func mixed() async throws {
        let shop = shop(.json(#"[{"id":7,"name":"Lamp"}]"#)) { Paginated(.pageNumber(total: .field("X-Total"))) }
        func save(_ product: Product) throws { throw TransportError(.other) }
        await #expect(throws: TransportError.self) {
            do {
                for try await product in shop.products.all { try save(product) }
            } catch let error as APIError {
                print(error.call)
            }
        }
    }

    @Test("A closure that says what it throws keeps the type")
    func typedClosure() async throws {
        let stub = StubTransport([
            "GET products/{}": .sequence([
                .failure(TransportError(.connectionLost)), .json(#"{"id":7,"name":"Lamp"}"#),
            ])
        ])
        let shop = Shop(client: Client(url, transport: stub))

        let lamp = try await retrying { () async throws(APIError) in try await shop.products.read(7) }

        #expect(lamp.name == "Lamp")
        #expect(stub.requests.count == 2)
    }

    @Test("Problems")
    func problems() async throws {
        let client = Client(url) {
            Problem([FieldError].self, on: 422, at: "errors")  // one status, below a key
            Problem(ShopProblem.self)  // any failure with a JSON body
            Problem(Refusal.self, on: .success, when: { !$0.ok })  // a 200 that is none
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("ShopProblem on 400...599"))
        let refused = shop(.json(#"{"ok":false}"#)) { Problem(Refusal.self, on: .success, when: { !$0.ok }) }
        let error = await Sample.failure { () async throws(APIError) in try await refused.products.read(7) }
        #expect(error?.problem(as: Refusal.self)?.ok == false)
    }

    @Test("A request that could not be built")
    func request() async {
        let shop = shop(.status(200))
        let error = await Sample.failure { () async throws(APIError) in
            try await shop.client.get("products/\("..")", as: Product.self)
        }
        #expect(
            error?.description == """
                GET products/{} could not be built; nothing was sent
                  GET("products/{}"): the segment ".." would change where the path leads; such a value cannot be an id in a path
                """
        )
    }

    @Test("A credential that could not be had")
    func authorization() async {
        let shop = shop(.status(200)) { Authorization(.bearer { throw Locked() }) }
        let error = await Sample.failure { () async throws(APIError) in try await shop.products.list() }
        #expect(
            error?.description == """
                GET products was not sent: its credential could not be had
                  https://shop.example/products
                  the token store is locked
                """
        )
    }

    @Test("An open circuit")
    func refused() async {
        let stub = StubTransport { _ in .status(503) }
        let dates = DateSource { Date(timeIntervalSince1970: 1_800_000_000) }
        let shop = Shop(client: Client(url, transport: stub, clock: ManualClock(), dates: dates) { CircuitBreaker() })
        for _ in 0..<5 { _ = await Sample.failure { () async throws(APIError) in try await shop.products.list() } }
        let error = await Sample.failure { () async throws(APIError) in try await shop.products.list() }
        #expect(
            error?.description == """
                GET products was not sent: the circuit to https://shop.example is open
                  https://shop.example/products
                  5 failures in a row, the last at 2027-01-15T08:00:00Z; one call is tried at 2027-01-15T08:00:30Z
                  the last: GET products failed: 503 Service Unavailable
                """
        )
    }

    @Test("A transport, a timeout, a cancelled task")
    func transport() async {
        let shop = shop(.failure(TransportError(.cannotConnect, "shop.example refuses it")))
        let lost = await Sample.failure { () async throws(APIError) in try await shop.products.list() }
        #expect(
            lost?.description == """
                GET products got no response: no connection could be made: shop.example refuses it
                  https://shop.example/products
                """
        )
        let cancelled = await Sample.failure { () async throws(APIError) in
            try await self.shop(.failure(TransportError(.cancelled))).products.list()
        }
        #expect(
            cancelled?.description == """
                GET products was cancelled
                  https://shop.example/products
                """
        )
        let clock = ManualClock()
        let client = Client(url, transport: StubTransport { _ in .never }, clock: clock) { Timeout(.seconds(5)) }
        async let late = Sample.failure { () async throws(APIError) in try await client.get("products", as: Int.self) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        #expect(
            await late?.description == """
                GET products timed out after 5.0 seconds
                  https://shop.example/products
                """
        )
    }

    @Test("A status, with a problem and without one")
    func status() async {
        let taken = shop(.json(#"{"title":"the name is taken"}"#, status: 422)) { Problem(ShopProblem.self) }
        let problem = await Sample.failure { () async throws(APIError) in
            try await taken.products.create(.init(name: "Lamp"))
        }
        #expect(
            problem?.description == """
                POST products failed: 422 Unprocessable Content
                  https://shop.example/products
                  problem: the name is taken
                """
        )
        let bad = shop(.json(#"{"error": "no", "password": "x"} "#, status: 400)) { Query("token", "s3cret") }
        let status = await Sample.failure { () async throws(APIError) in try await bad.products.list() }
        #expect(
            status?.description == """
                GET products failed: 400 Bad Request
                  https://shop.example/products?token=‹redacted›
                  the body has 33 bytes of application/json:
                    {"error":"no","password":"‹redacted›"}
                """
        )
    }

    @Test("A body that is not what was declared")
    func decoding() async {
        let body = "{\"data\":[\n {\"id\":1,\"name\":\"L\"},\n    {\"id\":2,\"name\":\"M\",\"price\": \"12 €\"}]}"
        let shop = shop(.json(body)) { Envelope("data") }
        let error = await Sample.failure { () async throws(APIError) in try await shop.products.list() }
        #expect(
            error?.description == """
                GET products answered 200 OK, but its body does not decode as [Product]
                  https://shop.example/products
                  data[1].price (line 3, column 33): expected a number (Decimal), found the string "12 €"
                          {"id":2,"name":"M","price": "12 €"}]}
                                                      ^~~~~~
                """
        )
    }

    @Test("Paging, a batch, a middleware")
    func others() async {
        let shop = shop(.json(#"[{"id":1,"name":"L"},{"error":{"title":"the name is taken"}}]"#))
        let paging = await Sample.failure { () async throws(APIError) in try await shop.products.page() }
        #expect(
            paging?.description == """
                GET products cannot be paged: no Paginated clause says how; declare one, such as Paginated(.link())
                  nothing was sent
                """
        )
        let drafts = [Product.Draft(name: "L"), Product.Draft(name: "M")]
        let batch = await Sample.failure { () async throws(APIError) in try await shop.bulk.create(drafts) }
        #expect(
            batch?.description == """
                POST products failed for 1 of 2 items
                  https://shop.example/products
                  [1]: the name is taken
                """
        )
        let full = self.shop(.status(200)) { Use(Full()) }
        let middleware = await Sample.failure { () async throws(APIError) in try await full.products.list() }
        #expect(
            middleware?.description == """
                GET products was given up by a middleware: the disk is full
                  https://shop.example/products
                """
        )
    }
}
