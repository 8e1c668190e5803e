#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillStore
    import WaybillTesting
    import storewriter

    @Suite("Killed senders", .inTurn, .safetyNet)
    struct KilledSenderTests {
        private let server: CuttingServer
        private let shop: SendingShop
        private let folder = TemporaryFolder()

        init() throws {
            server = try CuttingServer(keepsConnections: false)
            shop = SendingShop(server.url)
        }

        @Test(
            "A sender killed at a statement leaves writes that take effect once or become unknown",
            .enabled(if: StoreWriterProcess.program != nil)
        )
        func statements() async throws {
            try await prepare()
            var (number, isKilled, unknown) = (0, true, 0)
            while isKilled {
                number += number == 0 ? 1 : Thoroughness.repetitions(3, otherwise: 97)
                server.reset()
                let process = try start(number, SendingScript.Write.allCases)
                let (status, lines) = try await process.end()
                isKilled = status == SIGKILL
                #expect(isKilled || status == 0)
                #expect(lines == SendingScript.Write.allCases.map(\.rawValue))
                unknown += try await finish("statement \(number)")
            }
            #expect(number > 100)
            if Thoroughness.isWhole { #expect(unknown > 0) }
        }

        @Test(
            "A sender killed at a byte of a response leaves a write that takes effect once or becomes unknown",
            .enabled(if: StoreWriterProcess.program != nil),
            arguments: Thoroughness.some(SendingScript.Write.allCases, oneIn: 4)
        )
        func bytes(_ write: SendingScript.Write) async throws {
            try await prepare()
            var count = 0
            repeat {
                let gate = Gate()
                server.reset()
                server.change { $0.cut = .held(count, gate) }
                let process = try start(.max, [write])
                await gate.waitUntilOpen()
                process.kill()
                let (status, lines) = try await process.end()
                #expect(status == SIGKILL)
                #expect(lines == [write.rawValue])
                let unknown = try await finish("\(count) bytes", [write])
                // A change's effect is visible in the list.
                #expect(unknown == (write.isRepeatable || write == .patch ? 0 : 1), "\(count) bytes")
                count += Thoroughness.repetitions(11, otherwise: 199)
            } while count < server.change { $0.length }
            #expect(count >= 18)
        }

        /// Creates a folder with the store as it is before the writes.
        private func prepare() async throws {
            let store = try await open(folder.url.appendingPathComponent("before"))
            try await SendingScript.fetch(into: store, shop)
            await store.close()
        }

        private func open(_ folder: URL) async throws -> Store {
            try await Store(at: folder, settings: StoreSettings(sendsAutomatically: false))
        }

        private var copy: URL { folder.url.appendingPathComponent("copy") }

        /// Starts the process with a copy of the store.
        private func start(_ number: Int, _ writes: [SendingScript.Write]) throws -> StoreWriterProcess {
            if FileManager.default.fileExists(atPath: copy.path) { try FileManager.default.removeItem(at: copy) }
            try FileManager.default.copyItem(at: folder.url.appendingPathComponent("before"), to: copy)
            return try StoreWriterProcess(
                try #require(StoreWriterProcess.program),
                ["send", copy.path, server.url.absoluteString, String(number)] + writes.map(\.rawValue)
            )
        }

        /// Reopens the store and synchronizes it.
        ///
        /// - Parameters:
        ///   - comment: When the process ended.
        ///   - writes: The writes that had returned.
        /// - Returns: The number of unknown writes.
        private func finish(
            _ comment: Comment,
            _ writes: [SendingScript.Write] = SendingScript.Write.allCases
        ) async throws -> Int {
            await server.waitForClosedConnections()
            let store = try await open(copy)
            _ = SendingScript.collections(store, shop)
            try await store.synchronize()
            let report = try await store.synchronize()
            #expect(report.failures.isEmpty, comment)
            let entries = try await store.outbox.entries()
            let (effects, applied) = server.change { ($0.effects, $0.applied) }
            for write in writes {
                let count = effects.count { $0 == write.effect }
                let found = entries.filter { Self.effect(of: $0) == write.effect }
                #expect(count <= 1, "\(write), \(comment)")
                if write.hasTag { #expect(applied.count { $0 == write.effect } <= 1, "\(write), \(comment)") }
                if write.isRepeatable || found.isEmpty {
                    #expect(found.isEmpty, "\(write), \(comment)")
                    #expect(count == 1, "\(write), \(comment)")
                } else {
                    #expect(found.map(\.state) == [.unknown], "\(write), \(comment)")
                }
            }
            await store.close()
            return entries.count
        }

        private static func effect(of entry: OutboxEntry) -> String {
            switch entry.operation {
            case .create: "POST /\(entry.template)"
            case .update: "PUT /\(entry.template)/\(entry.itemID)"
            case .patch: "PATCH /\(entry.template)/\(entry.itemID)"
            case .delete: "DELETE /\(entry.template)/\(entry.itemID)"
            }
        }
    }
#endif
