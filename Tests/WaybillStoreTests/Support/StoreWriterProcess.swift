#if os(Linux) || os(macOS)
    import Foundation

    /// The program that writes into a store, and is killed.
    struct StoreWriterProcess: Sendable {
        /// The program, beside that of the tests.
        static var program: URL? {
            // In a bundle of tests the program lies beside the bundle.
            let candidates = [CommandLine.arguments[0], Bundle.main.executablePath ?? ""].map {
                URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("storewriter")
            }
            return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        private let process = Process()
        private let output = Pipe()

        init(_ program: URL, _ arguments: [String]) throws {
            process.executableURL = program
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            try process.run()
        }

        /// Ends it at once.
        func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

        /// Waits for its end.
        ///
        /// - Returns: its exit status or signal, and the lines that it has printed.
        func end() async throws -> (status: Int32, lines: [String]) {
            // On threads of its own: waiting would hold those of the tasks.
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            let text = try output.fileHandleForReading.readToEnd() ?? Data()
                            process.waitUntilExit()
                            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                            return (process.terminationStatus, lines)
                        }
                    )
                }
            }
        }
    }
#endif
