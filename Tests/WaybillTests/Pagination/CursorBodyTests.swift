import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("A cursor belongs to the request that it came from")
struct CursorBodyTests {
    private typealias Item = PaginationTests.Item

    private func search(_ stub: StubTransport, _ body: Body) -> Endpoint<[Item]> {
        Shop(stub).endpoint {
            POST("search")
            body
            Secret("password")
            Envelope("items")
            Paginated(.cursor(at: "next", as: .body("token")))
        }
    }

    private let stub = StubTransport { _ in PaginationTests.page([1], #""next":"x""#) }

    @Test("A cursor of a search is rejected with another body, and accepted with the same")
    func otherBody() async throws {
        let first = search(stub, Body(["q": "lamp"]))
        let cursor = try #require(try await first.page().next)
        let stored = try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(cursor))
        _ = try await first.page(after: stored)
        let other = search(stub, Body(["q": "chair"]))
        let error = await failure { () async throws(APIError) in try await other.page(after: stored) }
        guard case .pagination(let failure) = error else {
            Issue.record("expected a pagination failure, got \(String(describing: error))")
            return
        }
        #expect(failure.reason == .foreignBody)
        #expect(stub.requests.count == 2)
    }

    @Test("A cursor holds no secret of the body, and is accepted after the secret has changed")
    func secrets() async throws {
        let cursor = try #require(try await search(stub, Body(["q": "lamp", "password": "one"])).page().next)
        let same = search(stub, Body(["q": "lamp", "password": "two"]))
        _ = try await same.page(after: cursor)
        #expect(stub.requests.count == 2)
    }
}
