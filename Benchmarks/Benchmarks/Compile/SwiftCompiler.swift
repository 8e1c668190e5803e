import Foundation

/// The installed `swiftc`, with this build's modules.
struct SwiftCompiler: Sendable {
    private let location: URL
    private let modules: URL

    /// Finds the compiler on the `PATH`, and the modules next to this program.
    ///
    /// - Throws: ``Skip`` if the compiler or the modules are missing.
    init() throws {
        location = try Self.compiler()
        modules = try Self.modules()
    }

    /// Compiles a file, and returns the time spent.
    ///
    /// - Throws: ``Failure`` with the compiler's messages.
    func compile(_ file: URL, _ arguments: [String], output: URL) async throws -> TimeSpent {
        try Data().write(to: output)
        let writing = try FileHandle(forWritingTo: output)
        defer { try? writing.close() }
        let start = TimeSpent.byOtherPrograms
        let status = try await run(["-swift-version", "6", "-I", modules.path] + arguments + [file.path], writing)
        let time = TimeSpent.byOtherPrograms - start
        guard status == 0 else { throw Failure(text: String(decoding: try Data(contentsOf: output), as: UTF8.self)) }
        return time
    }

    /// The error for a file that does not compile.
    struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { "swiftc failed:\n\(text)" }
    }

    // The output goes to a file, because a pipe would have to be drained while the compiler runs.
    private func run(_ arguments: [String], _ output: FileHandle) async throws -> Int32 {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = location
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            return try await withCheckedThrowingContinuation { ended in
                process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    ended.resume(throwing: error)
                }
            }
        #else
            throw Skip(description: "a program cannot start another one here")
        #endif
    }

    private static func compiler() throws -> URL {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let places = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
        guard let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw Skip(description: "there is no swiftc on the PATH")
        }
        return place
    }

    private static func modules() throws -> URL {
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
        let places = [folder.appendingPathComponent("Modules"), folder]
        let module = places.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("Waybill.swiftmodule").path)
        }
        guard let module else {
            throw Skip(
                description: "there is no Waybill.swiftmodule in \(places.map(\.path).joined(separator: " or "))"
            )
        }
        return module
    }
}
