import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Stores on a failing disk", .inTurn)
struct StoreFaultTests {
    /// The names of the products after a number of the script's writes.
    private static func expected(after writes: Int) -> [String] {
        let states: [[String]] = [
            [], ["Desk"], ["Oak desk"], ["Oak desk", "Lamp"], ["Oak desk", "Torch"], ["Torch"],
        ]
        return states[min(writes, states.count - 1)]
    }

    /// Runs the script until a write fails, and returns the number of confirmed writes.
    private static func run(_ store: Store) async -> Int {
        let products = store.collection(Shop(StubTransport([:])).products) { Store.Index(\.name) }
        var confirmed = 0
        do {
            let desk = try await products.create(.init(name: "Desk"))
            confirmed += 1
            try await products.patch(desk.id) { $0.name = "Oak desk" }
            confirmed += 1
            let lamp = try await products.create(.init(name: "Lamp"))
            confirmed += 1
            try await products.update(Product(id: lamp.id, name: "Torch", price: 3))
            confirmed += 1
            try await products.delete(desk.id)
            confirmed += 1
        } catch {}
        return confirmed
    }

    /// Returns the names of the products in a folder's store, after checking that each has one index entry and one
    /// write.
    private static func contents(of folder: URL) async throws -> [String] {
        let store = try await Store(at: folder, settings: .init(sendsAutomatically: false))
        let products = store.collection(Shop(StubTransport([:])).products) { Store.Index(\.name) }
        let names = try await products.elements().map(\.name)
        for name in names { #expect(try await products.filter(\.name, equals: name).count() == 1) }
        #expect(try await store.outbox.entries().count == names.count)
        await store.close()
        return names
    }

    @Test(
        "If an SQLite call fails, a write is either kept or undone completely",
        arguments: Thoroughness.some([13, 10, 5] as [Int32], oneIn: 2)
    )
    func faults(code: Int32) async throws {
        var call = 0
        var isReached = true
        while isReached {
            call += call == 0 ? 1 : Thoroughness.repetitions(2, otherwise: 29)
            let folder = TemporaryFolder()
            let calls = FailingCall(number: call, code)
            var confirmed = 0
            if let store = try? await Store(
                at: folder.url,
                settings: .init(sendsAutomatically: false),
                library: SQLiteLibrary { _, make in calls.next() ?? make() }
            ) {
                confirmed = await Self.run(store)
                await store.close()
            }
            #expect(try await Self.contents(of: folder.url) == Self.expected(after: confirmed), "call \(call)")
            isReached = calls.hasFailed
        }
        #expect(call > 60)
    }
}

/// Counts calls and makes one of them fail.
private final class FailingCall: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var count = 0
    private let number: Int
    private let code: Int32

    init(number: Int, _ code: Int32) {
        self.number = number
        self.code = code
    }

    var hasFailed: Bool { lock.withLock { count >= number } }

    func next() -> Int32? {
        lock.withLock {
            count += 1
            return count == number ? code : nil
        }
    }
}
