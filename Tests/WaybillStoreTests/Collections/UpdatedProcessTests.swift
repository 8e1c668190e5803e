#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillStore
    import WaybillTesting

    @Suite("A store shared by two versions of a program", .inTurn, .safetyNet)
    struct UpdatedProcessTests {
        private let folder = TemporaryFolder()
        private let server = AccountServer()

        /// Runs a version of the program, and returns its output.
        private func run(_ version: Int, _ command: String, _ url: URL) async throws -> [String] {
            let process = try StoreWriterProcess(
                try #require(StoreWriterProcess.program),
                ["version", "\(version)", folder.url.path, url.absoluteString, command]
            )
            let (status, lines) = try await process.end()
            #expect(status == 0)
            return lines
        }

        @Test(
            "Pending writes survive switching between versions, and then are sent or need attention",
            .enabled(if: StoreWriterProcess.program != nil)
        )
        func versions() async throws {
            let server = server
            let loopback = try LoopbackServer { server.respond(to: $0) }
            defer { loopback.stop() }
            for version in [1, 2, 1, 2] { _ = try await run(version, "write", loopback.url) }
            let entries = [
                #"create items false {"count":1,"name":"made by 1"}"#, #"create notes false {"title":"note of 1"}"#,
                #"create items false {"count":2,"name":"made by 2"}"#,
            ]
            // The first version has no collection with this name, and keeps the second version's writes.
            #expect(try await run(1, "show", loopback.url) == entries + entries)
            #expect(
                try await run(2, "send", loopback.url) == [
                    "item made by 1", "item made by 2", "item made by 1", "item made by 2",
                    #"create notes true {"title":"note of 1"}"#, #"create notes true {"title":"note of 1"}"#,
                ]
            )
            #expect(server.takeWrites() == Array(repeating: "none POST /v2/items", count: 4))
            #expect(try await run(1, "send", loopback.url).isEmpty)
            #expect(server.takeWrites() == Array(repeating: "none POST /v1/notes", count: 2))
        }
    }
#endif
