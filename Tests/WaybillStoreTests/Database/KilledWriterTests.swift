#if os(Linux) || os(macOS)
    import Foundation
    import Testing
    import WaybillStore
    import storewriter

    @Suite("Killed writers", .timeLimit(.minutes(5)))
    struct KilledWriterTests {
        /// The program that writes, beside the program of the tests.
        private static var program: URL? {
            // In a bundle of tests the program lies beside the bundle.
            let candidates = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""].map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("storewriter")
            }
            return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        @Test(
            "A process that is killed at any call of SQLite leaves the contents before the write or after it",
            .enabled(if: program != nil),
            arguments: ["before", "after"]
        )
        func killed(_ moment: String) async throws {
            let program = try #require(Self.program)
            var number = 0
            var isKilled = true
            while isKilled {
                number += 1
                let folder = try StoreFolder()
                let (status, done) = try await Self.run(program, folder.file, number, moment)
                isKilled = status == SIGKILL
                #expect(isKilled || status == 0)
                var contents = ScriptedDay.Contents()
                for write in ScriptedDay.writes.prefix(done) {
                    contents = ScriptedDay.contents(contents, after: write)
                }
                let next = ScriptedDay.writes.dropFirst(done).first
                let database = try await Database.open(at: folder.file, prepare: ScriptedDay.prepare)
                let found = try await database.read(ScriptedDay.contents(of:))
                let after = next.map { ScriptedDay.contents(contents, after: $0) }
                #expect(found == contents || found == after, "call \(number), \(done) writes")
                await database.close()
            }
            #expect(number > 50)
        }

        /// Runs the program to its end.
        ///
        /// - Returns: its exit status or signal, and the number of writes that it has done.
        private static func run(
            _ program: URL,
            _ file: URL,
            _ number: Int,
            _ moment: String
        ) async throws -> (status: Int32, done: Int) {
            let process = Process()
            process.executableURL = program
            process.arguments = [file.path, String(number), moment]
            process.standardInput = FileHandle.nullDevice
            let output = Pipe()
            process.standardOutput = output
            // On threads of its own: waiting would hold those of the tasks.
            return try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            try process.run()
                            let text = try output.fileHandleForReading.readToEnd() ?? Data()
                            process.waitUntilExit()
                            return (process.terminationStatus, text.count { $0 == UInt8(ascii: "\n") })
                        }
                    )
                }
            }
        }
    }
#endif
