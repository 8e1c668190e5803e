import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

@testable import WaybillStore

@Suite("Writes waiting for a network", .inTurn, .safetyNet)
struct NetworkTests {
    private let server = ShopServer(products: [.product(1, "Lamp")])
    private let network = NetworkMonitor(isConnected: false)
    private let clock = ManualClock()

    private func open() async throws -> (Store, StoredCollection<Product, ReadWrite>) {
        let settings = StoreSettings(backoff: .constant(.seconds(600)), network: network)
        let store = try await Store.inMemory(settings: settings, clock: clock)
        return (store, store.collection(Shop(server.transport).products))
    }

    @Test("Without a network, writes wait and report the reason. With one, they are sent.")
    func waits() async throws {
        let (store, products) = try await open()
        try await products.create(.init(name: "Rug"))
        var statuses = store.statuses.makeAsyncIterator()
        while let status = await statuses.next(), status != .offline(waiting: 1) {}
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.network)])
        #expect(server.effects.isEmpty)
        network.update(isConnected: true)
        while let status = await statuses.next(), status != .idle {}
        #expect(server.effects.count == 1)
        #expect(try await store.outbox.entries().isEmpty)
        await store.close()
    }

    @Test("When the network returns, failed writes are sent at once, whatever their backoff")
    func urgent() async throws {
        network.update(isConnected: true)
        let (store, products) = try await open()
        server.change { $0.isOffline = true }
        // More than can be in flight at once.
        for number in 0..<10 { try await products.create(.init(name: "Rug \(number)")) }
        var attempts = [0]
        while attempts.contains(0) { attempts = try await store.outbox.entries().map(\.attempts) }
        await clock.waitForSleepers(count: 1)
        #expect(server.effects.isEmpty)
        server.change { $0.isOffline = false }
        network.update(isConnected: false)
        network.update(isConnected: true)
        var statuses = store.statuses.makeAsyncIterator()
        while let status = await statuses.next(), status != .idle {}
        #expect(server.effects.count == 10)
        await store.close()
    }

    @Test("A synchronization is attempted even without a network")
    func synchronized() async throws {
        let (store, products) = try await open()
        try await products.create(.init(name: "Rug"))
        #expect(try await store.synchronize().sent == 1)
        await store.close()
    }
}
