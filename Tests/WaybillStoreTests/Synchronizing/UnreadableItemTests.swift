import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Unreadable items", .inTurn)
struct UnreadableItemTests {
    /// JSON nested too deeply for a Swift JSON value.
    private static let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)

    /// Members nested too deeply for a Swift JSON value.
    static let members = [
        "\"extra\":\(deep)",
        "\"extra\":" + String(repeating: "{\"a\":", count: 2_000) + "1" + String(repeating: "}", count: 2_000),
    ]

    private struct Note: Entity {
        let id: String
    }

    private struct Notes: API {
        let client: Client

        var notes: Resource<Note, ReadOnly> { resource("notes") }
    }

    /// A server with 10 items on 5 pages.
    private func transport(_ badMember: @escaping @Sendable () -> (id: String, member: String)?) -> StubTransport {
        StubTransport { request in
            let page = request.query("page").flatMap { Int($0) } ?? 1
            let items = Array(1...10).dropFirst((page - 1) * 2).prefix(2).map { id in
                guard id == 3, let bad = badMember() else { return JSONValue.product(id, "Item").description }
                return "{\(bad.id),\"name\":\"New\",\"price\":1,\(bad.member)}"
            }
            return .json("[\(items.joined(separator: ","))]")
        }
    }

    @Test(
        "An unreadable item is reported with its position, keeps its row, and does not affect other items",
        arguments: members,
        [true, false]
    )
    func oneOfMany(member: String, dropsInvalidItems: Bool) async throws {
        let isBad = Locked(false)
        let transport = transport { isBad.withLock { $0 } ? (#""id":3"#, member) : nil }
        let shop = Shop(transport) {
            Paginated(.pageNumber())
            if dropsInvalidItems { DropInvalidItems() }
        }
        let store = try await Store.manual()
        let products = store.collection(shop.products)
        try await store.synchronize()
        isBad.withLock { $0 = true }
        var events = store.events.makeAsyncIterator()
        for _ in 0..<2 {
            let report = try await store.synchronize()
            #expect(report.failures.isEmpty)
            #expect(report.collections.first?.unreadable == 1)
            #expect(report.collections.first?.incomplete == nil)
        }
        #expect(try await products.elements().map(\.id) == Array(1...10))
        while let event = await events.next() {
            guard case .unreadable(let failure) = event else { continue }
            #expect(failure.id == "3")
            #expect(failure.reason.hasPrefix("element 0 of page 2 cannot be read: extra"))
            break
        }
    }

    @Test("A missing row is removed next to an unreadable item with an ID, and kept next to one without")
    func sweep() async throws {
        for id in [#""id":3"#, #""id":"\ud83d""#, #""other":3"#] {
            let isBad = Locked(false)
            let transport = StubTransport { _ in
                let all = (1...3).map { JSONValue.product($0, "Item").description }
                let bad = [all[0], "{\(id),\"x\":\(Self.deep)}"]
                return .json("[" + (isBad.withLock { $0 } ? bad : all).joined(separator: ",") + "]")
            }
            let store = try await Store.manual()
            let products = store.collection(Shop(transport).products)
            try await store.synchronize()
            isBad.withLock { $0 = true }
            let report = try await store.synchronize()
            #expect(report.collections.first?.incomplete == (id == #""id":3"# ? nil : .unreadableItems))
            #expect(try await products.elements().map(\.id) == (id == #""id":3"# ? [1, 3] : [1, 2, 3]))
        }
    }

    @Test(
        "A malformed member that the type does not use does not stop the list",
        arguments: [#""extra":1e400"#, #""extra":"cut \ud83d""#, #""extra":{"text":["\udc00"]}"#]
    )
    func unusedMember(member: String) async throws {
        let isBad = Locked(false)
        let transport = transport { isBad.withLock { $0 } ? (#""id":3"#, member) : nil }
        let store = try await Store.manual()
        let products = store.collection(Shop(transport) { Paginated(.pageNumber()) }.products)
        try await store.synchronize()
        isBad.withLock { $0 = true }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements().map(\.id) == Array(1...10))
        #expect(try await products.read(3)?.name == "New")
    }

    @Test("Items whose ID was cut within a character are unreadable")
    func cutID() async throws {
        let transport = StubTransport { _ in .json(#"[{"id":"a\ud83d"},{"id":"a\ud83e"},{"id":"b"}]"#) }
        let store = try await Store.manual()
        let notes = store.collection(Notes(client: Shop(transport).client).notes)
        let report = try await store.synchronize()
        #expect(report.collections.first?.unreadable == 2)
        #expect(try await notes.elements().map(\.id) == ["b"])
    }

    @Test("Times advance past an unreadable item with an id")
    func times() async throws {
        let transport = StubTransport { request in
            request.query("since") == nil
                ? .json(
                    #"[{"id":1,"name":"A","price":1,"at":10},{"id":2,"name":"B","price":1,"at":20,"x":\#(Self.deep)}]"#
                )
                : .json("[]")
        }
        let store = try await Store.manual()
        _ = store.collection(Shop(transport).products) { Store.Delta(.updatedSince("at", as: "since")) }
        try await store.synchronize()
        try await store.synchronize()
        #expect(transport.requests.map { $0.query("since") } == [nil, "19"])
    }
}
