import Foundation
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
    var price: Decimal?

    struct Draft: RequestContent { var name: String }
}

private struct ShopProblem: ResponseContent, CustomStringConvertible {
    let title: String
    var description: String { title }
}

private struct FieldError: ResponseContent { let field: String }

struct FieldProblem: ResponseContent, CustomStringConvertible, LocalizedError {
    let field: String
    let message: String

    var description: String { "\(field): \(message)" }
    var errorDescription: String? { message }
}

struct OutOfStock: ResponseContent, LocalizedError {
    let product: String

    var errorDescription: String? { "There is no \(product) left." }
}

private struct Rejection: ResponseContent { let ok: Bool }

private enum Bulk: BatchCreatable {}

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadWrite> { resource("products") }

    var bulk: Resource<Product, Bulk> {
        resource("products") { WriteResult.ItemProblem(ShopProblem.self, at: "error") }
    }
}

nonisolated(nonsending) func retrying<Value>(
    _ call: () async throws(APIError) -> Value
) async throws(APIError) -> Value {
    do {
        return try await call()
    } catch .transport {
        return try await call()
    }
}

enum ShopError: Error {
    case noSuchProduct
    case closed
}

struct ShopErrors: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        let response = try await next(request)
        switch response.status {
        case 404: throw call.failure(ShopError.noSuchProduct, status: 404)
        case 503: throw call.failure(ShopError.closed, status: 503)
        default: return response
        }
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

    private func shop(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Shop {
        Shop(client: Client(Sample.url, transport: StubTransport { _ in response }, clauses))
    }

    @Test("The switch in Errors.md needs no casts in a Task")
    func cases() async {
        let stub = StubTransport { _ in .status(404) }
        let shop = Shop(client: Client(url, transport: stub))
        let (printed, printing) = AsyncStream.makeStream(of: String.self)
        func print(_ item: Any) { printing.yield("\(item)") }

        Task {
            do throws(APIError) {
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
        }

        var lines = printed.makeAsyncIterator()
        #expect(await lines.next() == "there is no such product")
        let error = await Sample.failure { try await shop.products.read(7) }
        #expect(error?.isNotFound == true)
    }

    @Test("The alert in Errors.md shows the localized description of the error")
    func sentences() async {
        let shop = shop(.json(#"{"product":"lamp"}"#, status: 409)) { Problem(OutOfStock.self) }
        var (basket, alert, logged): ([Product], String, [String]) = ([], "", [])
        func log(_ text: String) { logged.append(text) }

        do throws(APIError) {
            basket = try await shop.products.list()
        } catch {
            switch error {
            case .cancelled: break  // the view has disappeared
            default:
                alert = error.localizedDescription
                log(error.description)
            }
        }

        #expect(basket.isEmpty && logged.count == 1)
        #expect(alert == "There is no lamp left.")
    }

    @Test("The table in Errors.md lists the localization key of every sentence")
    func sentenceTable() throws {
        let rows = try Repository.page("Documentation/Run/Errors.md").rows(ofTableUnder: "Sentence")
        #expect(Set(rows.map { $0[0] }) == Set(ErrorSentence.allCases.map { "`\($0.rawValue)`" }))
        #expect(rows.count == ErrorSentence.allCases.count)
        let strings = #"""
            "You are not signed in." = "Du bist nicht angemeldet.";
            """#
        #expect(ErrorSentence.allCases.contains { strings.hasPrefix("\"\($0.rawValue)\"") })
    }

    @Test("The problem in Errors.md describes itself, even in an array")
    func problemTexts() async {
        let shop = shop(
            .json(#"[{"field":"name","message":"The name is taken."},{"field":"price","message":"No."}]"#, status: 422)
        ) { Problem([FieldProblem].self) }
        let error = await Sample.failure { try await shop.products.list() }
        #expect(error?.description.hasSuffix("  problem: name: The name is taken.; price: No.") == true)
        #expect(error?.localizedDescription == "The name is taken. No.")
        let plain = self.shop(.json(#"{"field":"name"}"#, status: 422)) { Problem(FieldError.self) }
        let other = await Sample.failure { try await plain.products.list() }
        #expect(other?.description.hasSuffix(#"  problem: FieldError(field: "name")"#) == true)
    }

    @Test("The table in Errors.md lists every case of APIError")
    func table() throws {
        let source = try Repository.text(of: "Sources/Waybill/Failures/APIError.swift")
        let cases = source.matches(of: /\n    case (\w+)\(\w+Failure\)/).map { "`\($0.output.1)`" }
        let rows = try Repository.page("Documentation/Run/Errors.md").rows(ofTableUnder: "Case")
        #expect(rows.map { $0[0] } == cases)
    }

    @Test("The catch in Errors.md matches a case and a condition")
    func namedCase() async {
        for (response, text) in [
            (StubResponse.status(404), "deleted before"), (.status(503), "503 Service Unavailable"),
        ] {
            let shop = shop(response)
            var printed = ""
            func print(_ item: Any) { printed += "\(item)" }

            do throws(APIError) {
                try await shop.products.delete(7)
            } catch .status(let failure) where failure.isNotFound {
                print("deleted before")
            } catch {
                print(error)
            }

            #expect(printed.contains(text))
        }
    }

    @Test("The loop over pages in Errors.md throws APIError")
    func loop() async throws {
        let stub = StubTransport([
            "GET products": .sequence([
                .json(#"[{"id":7,"name":"Lamp"}]"#).header("X-Total", "2"), .status(503),
            ])
        ])
        let client = Client(url, transport: stub) { Paginated(.pageNumber(total: .field("X-Total"))) }
        let shop = Shop(client: client)
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        do throws(APIError) {
            var all = shop.products.all.makeAsyncIterator()
            while let product = try await all.next() { print(product.name) }
        } catch {
            print(error.call, error.cursor != nil)  // the cursor leads to the page that failed
        }

        #expect(printed.first == "Lamp")
        #expect(try #require(printed.last).hasSuffix(" true"))
    }

    @Test("The cast in Errors.md finds an APIError beside other errors", arguments: [true, false])
    func mixed(isSaved: Bool) async throws {
        let response = isSaved ? StubResponse.status(503) : .json(#"[{"id":7,"name":"Lamp"}]"#)
        let shop = shop(response) { Paginated(.pageNumber(total: .field("X-Total"))) }
        func save(_ product: Product) throws { throw TransportError(.other) }
        var printed = ""
        func print(_ item: Any) { printed += "\(item)" }
        let thrown = await #expect(throws: (any Error).self) {

            do {
                for try await product in shop.products.all { try save(product) }
            } catch {
                guard let failure = error as? APIError else { throw error }
                print(failure.call)
            }

            if isSaved { throw CancellationError() }
        }
        #expect(thrown is TransportError == !isSaved)
        #expect(printed.isEmpty == !isSaved)
    }

    @Test("The closure in Errors.md keeps its thrown type")
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

    @MainActor
    private final class Screen {
        private let shop: Shop
        private(set) var name = ""

        init(_ shop: Shop) { self.shop = shop }

        func load() async throws(APIError) {
            name = try await retrying { () async throws(APIError) in try await shop.products.read(7) }.name
        }
    }

    @Test("The function in Errors.md accepts a closure on the main actor")
    @MainActor
    func retryingOnMainActor() async throws {
        let stub = StubTransport([
            "GET products/{}": .sequence([
                .failure(TransportError(.connectionLost)), .json(#"{"id":7,"name":"Lamp"}"#),
            ])
        ])
        let screen = Screen(Shop(client: Client(url, transport: stub)))
        try await screen.load()
        #expect(screen.name == "Lamp")
    }

    @Test("The errors of a custom type in Errors.md keep their status", arguments: [404, 503, 500])
    func ownErrors(code: Int) async {
        let shop = shop(.status(HTTPResponse.Status(code: code))) { Use(ShopErrors()) }
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        do throws(APIError) {
            print(try await shop.products.read(7).name)
        } catch .middleware(let failure) where failure.underlying as? ShopError == .closed {
            print("closed")
        } catch {
            print(error.isNotFound)  // true after a 404
        }

        #expect(printed == [code == 503 ? "closed" : "\(code == 404)"])
    }

    @Test("The problems in Errors.md are decoded")
    func problems() async throws {
        let client = Client(url) {
            Problem([FieldError].self, on: 422, at: "errors")  // one status, under a key
            Problem(ShopProblem.self)  // any failure with a JSON body
            Problem(Rejection.self, on: .success, when: { !$0.ok })  // an error in a 200
            Problem(String.self)  // any failure with a text
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("ShopProblem on 400...599"))
        let rejected = shop(.json(#"{"ok":false}"#)) { Problem(Rejection.self, on: .success, when: { !$0.ok }) }
        let error = await Sample.failure { try await rejected.products.read(7) }
        #expect(error?.problem(as: Rejection.self)?.ok == false)
    }

    @Test("The problems of two media types in Errors.md are distinguished")
    func mediaTypes() async {
        for type in ["application/problem+json", "application/json"] {
            let fields = HTTPFields([HTTPField(name: .contentType, value: type)])
            let stub = StubTransport { _ in .text(#"{"title":"unpaid"}"#, status: 402, headers: fields) }
            func Client(_ url: URL, @Scope.Builder _ clauses: () -> Scope) -> Waybill.Client {
                Waybill.Client(url, transport: stub, clauses)
            }
            let billing = Client(url) {
                Problem(Problem.Details.self, contentTypes: ["application/problem+json"])
                Problem(ShopProblem.self)
            }
            let error = await Sample.failure { try await billing.get("a", as: Int.self) }
            #expect((error?.problem(as: Problem.Details.self) != nil) == (type == "application/problem+json"))
            #expect((error?.problem(as: ShopProblem.self) != nil) == (type == "application/json"))
        }
    }

    @Test("The error in a successful response in Errors.md has the equivalent status")
    func equivalent() async {
        struct ChatProblem: ResponseContent {
            let ok: Bool
            let error: String?
        }

        let stub = StubTransport { _ in .json(#"{"ok":false,"error":"channel_not_found"}"#) }
        func Client(_ url: URL, @Scope.Builder _ clauses: () -> Scope) -> Waybill.Client {
            Waybill.Client(url, transport: stub, clauses)
        }

        let chat = Client(url) {
            Problem(
                ChatProblem.self,
                on: .success,
                when: { !$0.ok },
                equivalentTo: { $0.error == "channel_not_found" ? 404 : nil }
            )
        }

        let error = await Sample.failure { try await chat.get("a", as: Int.self) }
        #expect(error?.isNotFound == true)
        #expect(error?.localizedDescription == "This item does not exist.")
    }

    @Test("The status member of a problem in Errors.md replaces the status of the response")
    func statusMember() async {
        let stub = StubTransport { _ in .json(#"{"status":404}"#, status: 502) }
        func Client(_ url: URL, @Scope.Builder _ clauses: () -> Scope) -> Waybill.Client {
            Waybill.Client(url, transport: stub, clauses)
        }

        let gateway = Client(url) {
            Problem(Problem.Details.self, equivalentTo: \.status)  // 502 with {"status":404}
        }

        let error = await Sample.failure { try await gateway.get("a", as: Int.self) }
        #expect(error?.isNotFound == true)
    }

    @Test("The equivalent status in Errors.md is a lost update")
    func equivalentStatus() async {
        let stub = StubTransport { _ in .status(409) }
        func Client(_ url: URL, @Scope.Builder _ clauses: () -> Scope) -> Waybill.Client {
            Waybill.Client(url, transport: stub, clauses)
        }

        let notes = Client(url) {
            On(.update) { Problem(on: 409, equivalentTo: 412) }  // error.lostUpdate != nil
        }

        let products: Resource<Product, ReadWrite> = notes.resource("products")
        let error = await Sample.failure { try await products.update(Product(id: 7, name: "Lamp", price: 30)) }
        #expect(error?.lostUpdate != nil)
    }

    @Test("The text of a request that could not be built matches Errors.md")
    func request() async {
        let shop = shop(.status(200))
        let error = await Sample.failure {
            try await shop.client.get("products/\("..")", as: Product.self)
        }
        #expect(
            error?.description == """
                GET products/{} could not be built; nothing was sent
                  GET("products/{}"): the segment ".." would change the path; such a value cannot be an id in a path
                """
        )
    }

    @Test("The text of an unavailable credential matches Errors.md")
    func authorization() async {
        let shop = shop(.status(200)) { Authorization(.bearer { throw Locked() }) }
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products was not sent: no credential was available
                  https://shop.example/products
                  the token store is locked
                """
        )
    }

    @Test("The text of an open circuit matches Errors.md")
    func rejected() async {
        let stub = StubTransport { _ in .status(503) }
        let dates = Client.DateProvider { Date(timeIntervalSince1970: 1_800_000_000) }
        let shop = Shop(client: Client(url, transport: stub, clock: ManualClock(), dates: dates) { CircuitBreaker() })
        for _ in 0..<5 { _ = await Sample.failure { try await shop.products.list() } }
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products was not sent: the circuit to https://shop.example is open
                  https://shop.example/products
                  5 failures in a row, the last at 2027-01-15T08:00:00Z; the next call is let through at 2027-01-15T08:00:30Z
                  the last: GET products failed: 503 Service Unavailable
                """
        )
    }

    @Test("The texts of a timeout and a cancellation match Errors.md")
    func transport() async {
        let cancelled = await Sample.failure {
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
        async let late = Sample.failure { try await client.get("products", as: Int.self) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        #expect(
            await late?.description == """
                GET products timed out after 5 s
                  https://shop.example/products
                """
        )
    }

    #if os(Linux)
        /// Returns the error text from a real local port, with the port and libcurl's message replaced by those on the
        /// page.
        private func text(_ port: Int, _ scheme: String, detail: String) async throws -> String {
            let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)"))
            let client = Client(url, transport: try .curl())
            let error = await Sample.failure {
                try await client.get("products", as: [Product].self)
            }
            return (error?.description ?? "").replacing(":\(port)", with: ":8080")
                .replacing(#/\(libcurl: .+\)\n/#, with: "(libcurl: \(detail))\n")
        }

        @Test("The texts of a closed port and of a port without TLS match Errors.md")
        func realTransport() async throws {
            let server = try LoopbackServer { _ in .status(204) }
            let port = try #require(server.url.port)
            #expect(try await text(port, "https", detail: "OpenSSL: wrong version number") == noTLSText)
            server.stop()
            #expect(try await text(port, "http", detail: "Couldn't connect to server") == noConnectionText)
        }
    #endif

    @Test("The text of HTML in place of a problem matches Errors.md")
    func page() async {
        let html = "<html>\n<head><title>502 Bad Gateway</title></head>\n<hr></html>\n"
        let shop = shop(.text(html, status: 502).modified { $0.headerFields[.contentType] = "text/html" })
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products failed: 502 Bad Gateway
                  https://shop.example/products
                  the body has 63 bytes of text/html:
                    502 Bad Gateway
                """
        )
    }

    @Test("The texts of a status with and without a problem match Errors.md")
    func status() async {
        let taken = shop(.json(#"{"title":"the name is taken"}"#, status: 422)) { Problem(ShopProblem.self) }
        let problem = await Sample.failure {
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
        let status = await Sample.failure { try await bad.products.list() }
        #expect(
            status?.description == """
                GET products failed: 400 Bad Request
                  https://shop.example/products?token=‹redacted›
                  the body has 33 bytes of application/json:
                    {"error":"no","password":"‹redacted›"}
                """
        )
    }

    @Test("The text of a body that does not decode matches Errors.md")
    func decoding() async {
        let body = "{\"data\":[\n {\"id\":1,\"name\":\"L\"},\n    {\"id\":2,\"name\":\"M\",\"price\": \"12 €\"}]}"
        let shop = shop(.json(body)) { Envelope("data") }
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products returned 200 OK, but its body does not decode as [Product]
                  https://shop.example/products
                  data[1].price (line 3, column 33): expected a number (Decimal), found the string "12 €"
                          {"id":2,"name":"M","price": "12 €"}]}
                                                      ^~~~~~
                """
        )
    }

    @Test("The texts of paging, batch and middleware errors match Errors.md")
    func others() async {
        let shop = shop(.json(#"[{"id":1,"name":"L"},{"error":{"title":"the name is taken"}}]"#))
        let paging = await Sample.failure { try await shop.products.page() }
        #expect(
            paging?.description == """
                GET products cannot be paged: no pagination scheme is declared; declare one, such as Paginated(.link())
                  nothing was sent
                """
        )
        let drafts = [Product.Draft(name: "L"), Product.Draft(name: "M")]
        let batch = await Sample.failure { try await shop.bulk.create(drafts) }
        #expect(
            batch?.description == """
                POST products failed for 1 of 2 items
                  https://shop.example/products
                  [1]: the name is taken
                """
        )
        let full = self.shop(.status(200)) { Use(Full()) }
        let middleware = await Sample.failure { try await full.products.list() }
        #expect(
            middleware?.description == """
                GET products was stopped by a middleware: the disk is full
                  https://shop.example/products
                """
        )
    }
}

// Not indented, because the first lines have the maximum line length.
private let noConnectionText = """
    GET products got no response: no connection could be made: 127.0.0.1:8080 cannot be reached (libcurl: Couldn't connect to server)
      http://127.0.0.1:8080/products
    """

private let noTLSText = """
    GET products got no response: no secure connection could be made: 127.0.0.1:8080 does not speak TLS; if it supports only plain HTTP, use an http:// URL (libcurl: OpenSSL: wrong version number)
      https://127.0.0.1:8080/products
    """
