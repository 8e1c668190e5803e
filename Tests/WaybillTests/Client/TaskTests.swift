import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Calls from actors", .inTurn, .safetyNet)
struct IsolationTests {
    @MainActor
    final class Model {
        let shop = Shop(responses: ["GET products/{}": .json(#"{"id":1,"name":"L"}"#), "GET products": .json("[]")])
        var page = 2

        func load() async throws(APIError) -> Product {
            let page = page
            _ = try await shop.client.get("products", as: JSONValue.self) { Query("page", page) }
            return try await shop.products.read(1)
        }
    }

    actor Cache {
        let shop = Shop(responses: ["GET products": .json("[]"), "POST products": .status(204)])
        var page = 3

        func load() async throws(APIError) -> Int {
            try await shop.client.post("products", body: 1) { Query("page", page) }
            var count = 0
            var iterator = shop.products.endpoints.list().withPages().all.makeAsyncIterator()
            while try await iterator.next() != nil { count += 1 }
            return count
        }
    }

    @Test("A main-actor model and an actor make calls with clauses built from their state")
    func calls() async throws {
        #expect(try await Model().load().id == 1)
        #expect(try await Cache().load() == 0)
    }
}

@Suite("Cancellation", .inTurn, .safetyNet)
struct CancellationTests {
    /// A transport that ignores cancellation and counts its requests.
    struct Deaf: Transport {
        let lines: Lines

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            lines.add(options.template ?? "")
            return HTTPResponse(status: 204)
        }
    }

    @Test("A cancelled task sends nothing, even over a transport that ignores cancellation")
    func early() async {
        let lines = Lines()
        let client = Client(Shop.url, transport: Deaf(lines: lines))
        let gate = Gate()
        let task = Task {
            await gate.waitUntilOpen()
            return await failure { try await client.delete("a") }
        }
        task.cancel()
        gate.open()
        guard case .cancelled = await task.value else {
            Issue.record("expected a cancelled call")
            return
        }
        #expect(lines.all.isEmpty)
    }
}

extension Endpoint where Value == [Product] {
    /// Returns the same endpoint, paged by number.
    fileprivate func withPages() -> Endpoint {
        var scope = Scope()
        Paginated(.pageNumber()).declare(in: &scope)
        return Endpoint(client: client, scopes: scopes + [scope], target: target, reader: reader)
    }
}
