#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import Waybill

    @Suite("Killed uploads", .inTurn, .safetyNet)
    struct KilledUploadTests {
        /// The uploader program, next to the test executable.
        private static var program: URL? {
            // In a test bundle, the program is next to the bundle.
            let candidates = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""].map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("downloader")
            }
            return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        @Test(
            "An upload killed at several points leaves a token that resumes it",
            .enabled(if: program != nil)
        )
        func killed() async throws {
            let program = try #require(Self.program)
            let directory = TemporaryDirectory()
            try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
            let file = directory.url.appendingPathComponent("video.mov")
            let token = directory.url.appendingPathComponent("token.json")
            let bytes = Data.sample(count: 3_000_000)
            try bytes.write(to: file)
            let stops = [0, 1, 700_000, 1_900_000]
            var faults: [String: UploadServer.Fault] = [:]
            for (number, (before, stop)) in zip([0] + stops, stops).enumerated() {
                faults["PATCH \(number + 1)"] = .stalls(after: stop - before)
            }
            let server = try UploadServer("tus", faults)
            for (number, stop) in stops.enumerated() {
                let process = try Self.start(program, server, file, token)
                await waitUntil {
                    server.exchanges.filter { $0.method == "PATCH" }.count > number
                        && server.uploads.first?.bytes.count == stop || !process.isRunning
                }
                #expect(process.isRunning)
                kill(process.processIdentifier, SIGKILL)
                await process.exit()
            }
            let process = try Self.start(program, server, file, token)
            await process.exit()
            #expect(process.terminationStatus == 0)
            #expect(server.uploads.map(\.bytes) == [bytes])
            #expect(server.requests == ["POST", "PATCH 0"] + (stops).flatMap { ["HEAD", "PATCH \($0)"] })
        }

        private static func start(_ program: URL, _ server: UploadServer, _ file: URL, _ token: URL) throws -> Process {
            let process = Process()
            process.executableURL = program
            process.arguments = [server.url.absoluteString, file.path, token.path]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return process
        }
    }
#endif
