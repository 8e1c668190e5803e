#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillTesting

    @Suite("Killed downloads", .inTurn, .safetyNet)
    struct KilledDownloadTests {
        /// The downloader program, next to the test executable.
        private static var program: URL? {
            // In a test bundle, the program is next to the bundle.
            let candidates = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""].map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("downloader")
            }
            return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        @Test(
            "A download killed at several points leaves no incomplete file, and the next one resumes it",
            .enabled(if: program != nil)
        )
        func killed() async throws {
            let program = try #require(Self.program)
            let folder = try DownloadFolder()
            let served = ServedFile(bytes: .sample(count: 4_200_000))
            let count = Thoroughness.repetitions(20, otherwise: 6)
            let responses = served.responses { response, number in
                // The rest of the body never arrives, because the process is killed first.
                number <= count ? response.dripped(bytes: 200_000, every: .seconds(3600)) : response
            }
            try await LoopbackServer.run(responses) { server async throws in
                for _ in 0..<count {
                    // One byte more than before, which shows that the process has received a response.
                    let wanted = Self.length(of: folder.part) + 1
                    let process = try Self.start(program, server, folder)
                    await waitUntil { Self.length(of: folder.part) >= wanted || !process.isRunning }
                    #expect(process.isRunning)
                    kill(process.processIdentifier, SIGKILL)
                    await process.exit()
                    #expect(!FileManager.default.fileExists(atPath: folder.file.path))
                    let part = try Data(contentsOf: folder.part)
                    #expect(part == served.bytes.prefix(part.count))
                }
                let process = try Self.start(program, server, folder)
                await process.exit()
                #expect(process.terminationStatus == 0)
                #expect(try Data(contentsOf: folder.file) == served.bytes)
                #expect(try folder.names == ["export.zip"])
                // Only the first process requested the file from the start.
                let ranges = server.requests.map { $0.headerFields[.range] }
                #expect(ranges.count == count + 1)
                #expect(ranges.dropFirst().allSatisfy { $0 != nil })
            }
        }

        @Test(
            "A partial file that another program changes after a kill is not resumed with the changed bytes",
            .enabled(if: program != nil),
            arguments: Thoroughness.some(ChangedPartTests.Change.allCases, oneIn: 4)
        )
        func changed(_ change: ChangedPartTests.Change) async throws {
            let program = try #require(Self.program)
            let folder = try DownloadFolder()
            let served = ServedFile(bytes: .sample(count: 2_000_000))
            let responses = served.responses { response, number in
                number == 1 ? response.dripped(bytes: 1_000_000, every: .seconds(3600)) : response
            }
            try await LoopbackServer.run(responses) { server async throws in
                let killed = try Self.start(program, server, folder)
                await waitUntil { Self.length(of: folder.part) >= 500_000 || !killed.isRunning }
                #expect(killed.isRunning)
                kill(killed.processIdentifier, SIGKILL)
                await killed.exit()
                try change.make(of: folder.part)
                let process = try Self.start(program, server, folder)
                await process.exit()
                #expect(process.terminationStatus == 0)
                #expect(try Data(contentsOf: folder.file) == served.bytes)
                #expect(try folder.names == ["export.zip"])
                let isContinued = server.requests.last?.headerFields[.range] != nil
                #expect(isContinued == (change == .appended || change == .appendedMore))
            }
        }

        private static func start(_ program: URL, _ server: LoopbackServer, _ folder: DownloadFolder) throws -> Process
        {
            let process = Process()
            process.executableURL = program
            process.arguments = [server.url.absoluteString, folder.file.path]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return process
        }

        private static func length(of file: URL) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }
    }
#endif
