#if os(Linux) || os(macOS)
    import Foundation

    /// A process that writes to a store and can be killed.
    struct StoreWriterProcess: Sendable {
        /// The program, next to the test executable.
        static var program: URL? {
            // In a test bundle, the program is next to the bundle.
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

        /// Kills the process.
        func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

        /// Waits for the process to exit.
        ///
        /// - Returns: The exit status or signal, and the printed lines.
        func end() async throws -> (status: Int32, lines: [String]) {
            // On a separate thread, because waiting would block a thread of Swift's concurrency pool.
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
