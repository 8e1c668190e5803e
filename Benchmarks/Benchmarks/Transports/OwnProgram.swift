import Foundation

/// This program, started again in a process of its own to play a ``ChildRole``.
enum OwnProgram {
    /// The error of a process that ended without a result; it has printed the reason on standard error.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the process.
    ///
    /// It ends by itself when `input` is closed, hence also when this process ends, even by a crash.
    ///
    /// - Throws: ``Skip`` if a program cannot start another one.
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

    /// Starts the process, and returns its whole output.
    static func output(of role: ChildRole) async throws -> Data {
        let (input, output) = try start(role)
        defer { try? input.close() }
        let text = try await OwnThread.run { try output.readToEnd() }
        guard let text, !text.isEmpty else { throw Failure(description: "\(role.arguments) gave no result") }
        return text
    }
}
