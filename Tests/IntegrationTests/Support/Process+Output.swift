#if os(Linux) || os(macOS)
    import Foundation

    extension Process {
        /// Runs a program until it exits.
        ///
        /// The wait uses a dedicated thread: on a machine with two processors, two waits on the cooperative pool block
        /// every task. Output goes to a file because a program blocks once an unread pipe is full.
        ///
        /// - Returns: the exit status and the program's output.
        static func run(
            _ program: URL,
            _ arguments: [String],
            in folder: URL
        ) async throws -> (status: Int32, output: String) {
            let log = folder.appending(path: "output-\(UUID()).txt")
            try Data().write(to: log)
            let output = try FileHandle(forWritingTo: log)
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.currentDirectoryURL = folder
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.run()
            await withCheckedContinuation { ended in
                Thread.detachNewThread {
                    process.waitUntilExit()
                    ended.resume()
                }
            }
            try output.close()
            return (process.terminationStatus, String(decoding: try Data(contentsOf: log), as: UTF8.self))
        }
    }
#endif
