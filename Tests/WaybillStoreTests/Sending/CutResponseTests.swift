#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillStore
    import WaybillTesting
    import storewriter

    @Suite("Writes with truncated responses", .inTurn, .safetyNet)
    struct CutResponseTests {
        @Test(
            "A write whose connection is cut during the response takes effect once or becomes unknown",
            arguments: Thoroughness.some(SendingScript.Write.allCases, oneIn: 4),
            [false, true]
        )
        func cut(_ write: SendingScript.Write, isReset: Bool) async throws {
            let server = try CuttingServer()
            let shop = SendingShop(server.url)
            var count = 0
            repeat {
                server.reset()
                server.change { $0.cut = isReset ? .reset(count) : .closed(count) }
                try await Self.send(write, shop, server, "\(count) bytes")
                // A reset differs from a close only in the reported transport error, so fewer offsets suffice.
                count += Thoroughness.repetitions(isReset ? 5 : 1, otherwise: 97)
            } while count <= server.change { $0.length }
            #expect(count > 18)
        }

        /// Sends a write whose response is cut, and synchronizes again.
        private static func send(
            _ write: SendingScript.Write,
            _ shop: SendingShop,
            _ server: CuttingServer,
            _ comment: Comment
        ) async throws {
            let store = try await Store.manual()
            try await SendingScript.fetch(into: store, shop)
            try await SendingScript.perform(write, in: store, shop)
            try await store.synchronize()
            let report = try await store.synchronize()
            #expect(report.failures.isEmpty, comment)
            #expect(server.change { $0.effects } == [write.effect], comment)
            // A condition holds only once.
            if write.hasTag { #expect(server.change { $0.applied } == [write.effect], comment) }
            let states = try await store.outbox.entries().map(\.state)
            let (plain, keyed) = SendingScript.collections(store, shop)
            if write.isRepeatable || states.isEmpty {
                #expect(states == [], comment)
                #expect(try await plain.elements() == server.items(of: "/plain"), comment)
                #expect(try await keyed.elements() == server.items(of: "/keyed"), comment)
            } else {
                #expect(states == [.unknown], comment)
            }
            await store.close()
        }

        @Test(
            "A write with a complete response is never unknown",
            arguments: Thoroughness.some(SendingScript.Write.allCases, oneIn: 3)
        )
        func whole(_ write: SendingScript.Write) async throws {
            let server = try CuttingServer()
            let shop = SendingShop(server.url)
            server.change { $0.cut = .closed(.max) }
            let store = try await Store.manual()
            try await SendingScript.fetch(into: store, shop)
            try await SendingScript.perform(write, in: store, shop)
            #expect(try await store.synchronize().isComplete)
            #expect(server.change { $0.applied } == [write.effect])
            await store.close()
        }
    }
#endif
