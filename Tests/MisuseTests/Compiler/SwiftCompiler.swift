import Foundation

/// The machine's `swiftc`.
enum SwiftCompiler {
    /// Where it is: the first on the `PATH`; nil where there is none, or where a program cannot start another one.
    static let location: URL? = {
        #if os(macOS) || os(Linux)
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        #else
            return nil
        #endif
    }()

    /// Type-checks files as one module, and returns what the compiler says.
    static func typecheck(_ files: [URL], arguments: [String], output: URL) async throws -> String {
        try Data().write(to: output)
        let writing = try FileHandle(forWritingTo: output)
        defer { try? writing.close() }
        try await run(
            ["-typecheck", "-whole-module-optimization", "-swift-version", "6", "-module-name", "Snippets"]
                + arguments + files.map(\.path),
            writingTo: writing
        )
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    // The output goes to a file, not through a pipe, so that nobody has to read it while the compiler runs.
    private static func run(_ arguments: [String], writingTo output: FileHandle) async throws {
        guard let location else { throw CocoaError(.executableNotLoadable) }
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = location
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in ended.resume() }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    ended.resume(throwing: error)
                }
            }
        #endif
    }
}
