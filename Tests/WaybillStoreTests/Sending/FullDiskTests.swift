import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Sending with a full disk", .inTurn)
struct FullDiskTests {
    /// SQLite result codes for a full disk, an I/O error, and another program's lock.
    private static let codes: [ResultCode] = [.full, .inputOutput, .busy]

    /// A disk that can fail.
    private final class Disk: Sendable {
        private let code = Locked<ResultCode?>(nil)

        func fail(_ new: ResultCode?) { code.withLock { $0 = new } }

        var library: SQLiteLibrary {
            SQLiteLibrary { [code] call, make in
                // Only statements that write need space.
                guard call.function == .step, let code = code.withLock({ $0 }) else { return make() }
                let isRead = ["SELECT", "PRAGMA", "ROLLBACK", "BEGIN"].contains { call.text.hasPrefix($0) }
                return isRead ? make() : code.rawValue
            }
        }
    }

    private func open(
        _ folder: TemporaryFolder,
        _ disk: Disk,
        _ server: KeyedServer
    ) async throws -> (Store, StoredCollection<Product, ReadWrite>) {
        let store = try await Store(
            at: folder.url,
            settings: StoreSettings(backoff: .constant(.seconds(60)), sendsAutomatically: false),
            library: disk.library,
            clock: ManualClock()
        )
        return (store, store.collection(Shop(server.transport).products))
    }

    @Test("A response that cannot be stored is kept, and its request is not repeated", arguments: codes)
    func response(code: ResultCode) async throws {
        let (server, disk, folder) = (KeyedServer(), Disk(), TemporaryFolder())
        let (store, products) = try await open(folder, disk, server)
        let desk = try await products.create(.init(name: "Desk"))
        server.change { $0.onArrival = { _ in disk.fail(code) } }
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) { try await store.synchronize() }
        }
        let entry = try #require(try await store.outbox.entries().first)
        await #expect(throws: StoreError.self) { try await store.outbox.retry(entry.id) }
        disk.fail(nil)
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects } == ["POST 1"])
        #expect(try await products.elements().map(\.name) == ["Desk"])
        #expect(try await products.read(desk.id)?.id == 101)
        await store.close()
    }

    @Test("If a write cannot be marked as in flight, the call throws, and the write is sent later", arguments: codes)
    func claim(code: ResultCode) async throws {
        let (server, disk, folder) = (KeyedServer(), Disk(), TemporaryFolder())
        let (store, products) = try await open(folder, disk, server)
        for number in 1...7 { try await products.create(.init(name: "\(number)")) }
        disk.fail(code)
        await #expect(throws: StoreError.self) { try await store.synchronize() }
        #expect(try await store.outbox.entries().count == 7)
        #expect(server.change { $0.effects }.isEmpty)
        disk.fail(nil)
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects }.count == 7)
        await store.close()
    }
}
