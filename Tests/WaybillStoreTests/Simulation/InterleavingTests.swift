import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("All interleavings of an edit, its sending, and a fetched list", .inTurn)
struct InterleavingTests {
    /// One step of an interleaving; it begins after the previous step has ended.
    enum Step: Character, CaseIterable {
        /// The item is edited on the device.
        case edit = "e"
        /// The edit is sent, and its response is held back.
        case send = "s"
        /// The edit's response arrives.
        case respond = "r"
        /// The list is requested, and its response is held back.
        case list = "l"
        /// The list arrives.
        case receive = "v"
        /// Another client changes the item on the server.
        case other = "o"
    }

    /// All interleavings of two edits, the send and its response, and the list request and its arrival, each with and
    /// without another client's change before the list request.
    static let orders: [String] = {
        func merged(_ left: Substring, _ right: Substring) -> [String] {
            guard let first = left.first, let second = right.first else { return [String(left + right)] }
            return merged(left.dropFirst(), right).map { "\(first)\($0)" }
                + merged(left, right.dropFirst()).map { "\(second)\($0)" }
        }
        let orders = Set(merged("esr", "lv").flatMap { merged($0[...], "e") }).filter { $0.first == "e" }.sorted()
        return orders + orders.map { $0.replacing("l", with: "ol") }
    }()

    @Test("An observer never sees the server's value again after a local edit", arguments: [false, true])
    func noFlicker(hasTags: Bool) async throws {
        #expect(Self.orders.count > 40)
        for index in stride(from: hasTags ? 1 : 0, to: Self.orders.count, by: Thoroughness.step) {
            try await run(Self.orders[index], hasTags: hasTags)
        }
    }

    private func run(_ order: String, hasTags: Bool) async throws {
        let server = ShopServer(products: [.product(1, "Base"), .product(2, "Rug")])
        server.change { $0.hasTags = hasTags }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport) { IdempotencyKey() }.products)
        try await store.synchronize()
        let observer = Task { await Self.names(products) }
        var edits = 0
        var gates: (send: Gate?, list: Gate?)
        var pulling: Task<Void, any Error>?
        for step in order.compactMap(Step.init) {
            switch step {
            case .edit:
                edits += 1
                let name = "Mine \(edits)"
                try await products.patch(1) { $0.name = name }
            case .send:
                let (gate, arrived) = (Gate(), Gate())
                gates.send = gate
                server.change { $0.faults = [.held(gate, arrived: arrived)] }
                await store.sender.wake()
                await arrived.waitUntilOpen()
            case .respond:
                gates.send?.open()
                await store.sender.waitForRequestsInFlight()
            case .list:
                let (gate, arrived) = (Gate(), Gate())
                gates.list = gate
                server.change { $0.faults = [.held(gate, arrived: arrived)] }
                let (sender, context) = (store.sender, products.context)
                pulling = Task {
                    var pull = Pull(collection: context, sender: sender, fetchesWhole: false)
                    try await pull.run()
                }
                await arrived.waitUntilOpen()
            case .receive:
                gates.list?.open()
                if gates.send?.isOpen ?? true { try await pulling?.value }
            case .other: server.edit(1, ["price": 77])
            }
        }
        gates.send?.open()
        try await pulling?.value
        try await store.synchronize()
        let price = order.contains("o") ? 77 : 10
        #expect(try await products.read(1) == Product(id: 1, name: "Mine 2", price: price), "\(order)")
        #expect(server.items().first?["name"] == "Mine 2", "\(order)")
        await store.close()
        let names = await observer.value
        // The base value and then the edits in order, without going back.
        let seen = names.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(
            seen == seen.sorted { Self.rank($0) < Self.rank($1) } && Set(seen).count == seen.count,
            "\(order): \(seen)"
        )
    }

    private static func rank(_ name: String) -> Int { ["Base", "Mine 1", "Mine 2"].firstIndex(of: name) ?? 9 }

    /// Returns the names of item 1, in the order in which an observer sees them.
    private static func names(_ products: StoredCollection<Product, ReadWrite>) async -> [String] {
        var names: [String] = []
        var rows: [StoredChange<Product>.Row] = []
        for await change in products.changes {
            switch change {
            case .rows(let first):
                rows = first
                names += rows.filter { $0.element.id == 1 }.map(\.element.name)
            case .differences(let differences):
                for difference in differences {
                    rows.apply(difference)
                    names += rows.filter { $0.element.id == 1 }.map(\.element.name)
                }
            }
        }
        return names
    }
}
