import Foundation
import TestSupport

/// The machine's `swiftc`.
enum SwiftCompiler {
    /// A language mode.
    enum LanguageMode: String, Sendable, CaseIterable {
        case five = "5"
        case six = "6"

        /// The tested modes: all in a thorough run, otherwise that of the package.
        static var tried: [LanguageMode] { Thoroughness.isWhole ? allCases : [.six] }
    }

    /// The first compiler on the `PATH`, or nil if it is missing or the system cannot start processes.
    static let location: URL? = {
        #if os(macOS) || os(Linux)
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        #else
            return nil
        #endif
    }()

    /// Compiles files as one module into an object file and returns the compiler's output.
    ///
    /// Type-checking alone would miss errors in synthesized code, such as `==` of a `Hashable` type.
    static func compile(
        _ files: [URL],
        mode: LanguageMode = .six,
        arguments: [String],
        output: URL
    ) async throws -> String {
        let object = output.deletingPathExtension().appendingPathExtension("o")
        return try await run(
            ["-c", "-parse-as-library", "-whole-module-optimization", "-swift-version", mode.rawValue]
                + ["-module-name", "Snippets", "-o", object.path] + arguments + files.map(\.path),
            output: output
        )
    }

    /// Writes the module of a file into the file's folder and returns the compiler's output.
    static func emitModule(named name: String, of file: URL, arguments: [String], output: URL) async throws -> String {
        let module = file.deletingLastPathComponent().appendingPathComponent("\(name).swiftmodule")
        return try await run(
            ["-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", name]
                + ["-o", module.path] + arguments + [file.path],
            output: output
        )
    }

    private static func run(_ arguments: [String], output: URL) async throws -> String {
        try Data().write(to: output)
        let writing = try FileHandle(forWritingTo: output)
        defer { try? writing.close() }
        try await run(arguments, writingTo: writing)
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    // Write the output to a file, because a pipe would have to be read while the compiler runs.
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
