import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Cursors, feeds, and dead-end pages", .inTurn)
struct CursorTests {
    /// A feed like CouchDB's: every response contains the sequence number of its last change, even if nothing is new.
    private final class Feed: Sendable {
        struct State {
            var changes: [(id: Int, name: String?)] = (1...5).map { ($0, "Item \($0)") }
            /// The cursor that the server rejects.
            var purged: Int?
            var rejection = 410
            var isReadOnly = false
            var requests = 0
            var writes = 0
        }

        let state = Locked(State())

        var transport: StubTransport {
            StubTransport { request in
                self.state.withLock { state in
                    if request.method != .get {
                        if state.isReadOnly { return .status(503) }
                        state.writes += 1
                        return .json(JSONValue.product(1, "Mine").description)
                    }
                    if let id = request.path.split(separator: "/").dropFirst().first.flatMap({ Int($0) }) {
                        let name = state.changes.last { $0.id == id }?.name
                        return name.map { .json(JSONValue.product(id, $0).description) } ?? .status(404)
                    }
                    state.requests += 1
                    let since = request.query("since").flatMap { Int($0) } ?? 0
                    if since == state.purged { return .status(.init(code: state.rejection)) }
                    let new = state.changes.dropFirst(since).prefix(2)
                    let items = new.map { change in
                        change.name.map { JSONValue.product(change.id, $0) }
                            ?? ["id": .integer(change.id), "deleted": true]
                    }
                    let last = min(since, state.changes.count) + new.count
                    return .json("{\"results\":\(JSONValue.array(items)),\"last_seq\":\(last)}")
                }
            }
        }

        var products: Resource<Product, ReadWrite> {
            Shop(transport) {
                Envelope(list: "results")
                Paginated(.cursor(at: "last_seq", as: "since"))
            }
            .products
        }
    }

    private static let delta = Store.Delta(.cursor, deleted: "deleted")

    @Test("An unchanged cursor marks the end of a feed, and writes are sent")
    func sameCursor() async throws {
        let feed = Feed()
        let store = try await Store.manual()
        let products = store.collection(feed.products) { Self.delta }
        for _ in 0..<3 { #expect(try await store.synchronize().isComplete) }
        #expect(try await products.count() == 5)
        try await products.patch(1) { $0.name = "Mine" }
        let report = try await store.synchronize()
        #expect(report.isComplete)
        #expect(report.sent == 1)
        #expect(feed.state.withLock { $0.writes } == 1)
        feed.state.withLock { $0.changes.append((6, "New")) }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.count() == 6)
    }

    @Test(
        "A feed with a rejected cursor restarts, and rows missing from it are removed",
        arguments: [400, 404, 410, 422]
    )
    func rejectedCursor(status: Int) async throws {
        let feed = Feed()
        let store = try await Store.manual()
        let products = store.collection(feed.products) { Self.delta }
        try await store.synchronize()
        try await products.patch(4) { $0.name = "Mine" }
        feed.state.withLock { state in
            (state.rejection, state.isReadOnly) = (status, true)
            // The deletions of 2 and 4 are purged.
            state.changes = [(1, "A"), (3, "C"), (5, "E"), (6, "F"), (7, "G"), (8, "H"), (9, "I")]
            state.purged = 5
        }
        #expect(try await store.synchronize().failures.isEmpty)
        #expect(try await products.read(2) == nil)
        #expect(try await products.read(4)?.name == "Mine")
        #expect(try await products.read(8)?.name == "H")
    }

    @Test("A restarted feed that is empty removes its rows only in the second synchronization")
    func emptyFeed() async throws {
        let feed = Feed()
        let store = try await Store.manual()
        let products = store.collection(feed.products) { Self.delta }
        try await store.synchronize()
        feed.state.withLock { state in (state.changes, state.purged) = ([], 5) }
        #expect(try await store.synchronize().collections.first?.incomplete == .becameEmpty)
        #expect(try await products.count() == 5)
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.count() == 0)
    }

    @Test("A rejected time causes a fetch of the whole list", arguments: [400, 410])
    func rejectedTime(status: Int) async throws {
        let transport = StubTransport { request in
            request.query("since") == nil
                ? .json(#"[{"id":1,"name":"A","price":1,"at":10}]"#) : .status(.init(code: status))
        }
        let store = try await Store.manual()
        _ = store.collection(Shop(transport).products) { Store.Delta(.updatedSince("at", as: "since")) }
        for _ in 0..<2 { #expect(try await store.synchronize().isComplete) }
        #expect(transport.requests.map { $0.query("since") } == [nil, "9", nil])
    }

    @Test(
        "If the server ignores the page parameters, the walk ends with an error",
        arguments: [
            Paginated(.pageNumber()), Paginated(.offset()), Paginated(.cursor(at: "token", as: "after")),
            Paginated(.pageNumber(size: .query("per_page", 2))),
        ],
        [Store.Delta(.cursor), nil]
    )
    func ignoredParameters(paging: Paginated, delta: Store.Delta?) async throws {
        let count = Locked(0)
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // Each response differs, so that comparing bytes cannot detect the repetition.
            return .json(
                """
                {"items":[\(JSONValue.product(1, "A")),\(JSONValue.product(2, "B"))],"token":"\(number)","at":\(number)}
                """
            )
        }
        let store = try await Store.manual()
        let shop = Shop(transport) {
            Envelope(list: "items")
            paging
        }
        let products = store.collection(shop.products) { if let delta { delta } }
        let report = try await store.synchronize()
        guard case .call(.pagination(let failure)) = report.failures.first?.error else {
            Issue.record("\(report)")
            return
        }
        #expect(failure.reason == .repeatedItems)
        #expect(transport.requests.count < 5)
        #expect(try await products.count() == 2)
    }

    @Test("Items hidden from this user are removed by the next whole list, whether it is due or requested")
    func wholeEvery() async throws {
        let isHidden = Locked(false)
        let transport = StubTransport { request in
            let visible = isHidden.withLock { $0 } ? [1] : [1, 2]
            let items = visible.map { JSONValue.product($0, "Item", ["at": 10]) }
            return .json(JSONValue.array(request.query("since") == nil ? items : []).description)
        }
        let date = ManualDate()
        let store = try await Store.manual(dates: date.provider)
        let products = store.collection(Shop(transport).products) {
            Store.Delta(.updatedSince("at", as: "since"), wholeEvery: .seconds(3_600))
        }
        try await store.synchronize()
        isHidden.withLock { $0 = true }
        try await store.synchronize()
        #expect(try await products.count() == 2)
        date.advance(by: 3_600)
        try await store.synchronize()
        #expect(try await products.count() == 1)
        isHidden.withLock { $0 = false }
        try await store.synchronize()
        #expect(try await products.count() == 1)
        try await products.synchronize(whole: true)
        #expect(try await products.count() == 2)
        #expect(transport.requests.map { $0.query("since") } == [nil, "9", nil, "9", nil])
    }

    @Test("A row whose item is forbidden is marked until a list contains it, and a row whose item is gone is removed")
    func forbidden() async throws {
        let status = Locked(403)
        let transport = StubTransport { request in
            if request.path != "/products" { return .status(.init(code: status.withLock { $0 })) }
            return .json(JSONValue.array([.product(1, "Lamp")]).description)
        }
        let store = try await Store.manual()
        let products = store.collection(Shop(transport).products)
        try await store.synchronize()
        await #expect(throws: StoreError.self) { try await products.inStep.read(1) }
        #expect(try await products.isForbidden(1))
        #expect(try await products.read(1)?.name == "Lamp")
        try await store.synchronize()
        #expect(try await !products.isForbidden(1))
        status.withLock { $0 = 410 }
        #expect(try await products.inStep.read(1) == nil)
        #expect(try await products.read(1) == nil)
    }

    @Test("If the read before a write is forbidden, the row is marked, and the write is parked")
    func forbiddenBeforeWriting() async throws {
        let transport = StubTransport { request in
            if request.path != "/products" { return .status(403) }
            return .json(JSONValue.array([.product(1, "Lamp")]).description)
        }
        let store = try await Store.manual()
        let products = store.collection(Shop(transport).products) { Store.Conflicts(.ask, readsBeforeWriting: true) }
        try await store.synchronize()
        try await products.patch(1) { $0.name = "Mine" }
        await store.sender.wake()
        await store.sender.waitForRequestsInFlight()
        #expect(try await products.isForbidden(1))
        #expect(try await store.outbox.entries().map(\.state) == [.parked])
        #expect(transport.requests.allSatisfy { $0.method == .get })
    }
}
