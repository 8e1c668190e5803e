import Foundation

/// This program, started as a separate process to perform a ``ChildRole``.
enum OwnProgram {
    /// The error for a process that ended without a result; the process prints the reason to standard error.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the process.
    ///
    /// The process ends when `input` is closed, and therefore also when this process exits or crashes.
    ///
    /// - Throws: ``Skip`` if this system cannot start processes.
    static func start(_ role: ChildRole) throws -> (input: FileHandle, output: FileHandle) {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = Bundle.main.executableURL
            process.arguments = role.arguments
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            return (input.fileHandleForWriting, output.fileHandleForReading)
        #else
            throw Skip(description: "a program cannot start another one here")
        #endif
    }

    /// Starts the process, and returns its complete output.
    static func output(of role: ChildRole) async throws -> Data {
        let (input, output) = try start(role)
        defer { try? input.close() }
        let text = try await OwnThread.run { try output.readToEnd() }
        guard let text, !text.isEmpty else { throw Failure(description: "\(role.arguments) gave no result") }
        return text
    }
}
