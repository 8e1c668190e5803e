import Foundation

/// A temporary folder with a file of endpoints and an empty file, removed on deinitialization.
final class CompileFolder: Sendable {
    /// The number of endpoints.
    static let endpointCount = 500

    private let compiler: SwiftCompiler
    private let location: URL

    /// Creates the folder.
    ///
    /// - Throws: ``Skip`` if the compiler or the package's modules are missing, or the error of a file that cannot be
    ///   written.
    init() throws {
        compiler = try SwiftCompiler()
        location = FileManager.default.temporaryDirectory.appendingPathComponent("endpoints-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try Data(EndpointSource.endpoints(Self.endpointCount).utf8).write(to: file("endpoints.swift"))
        try Data(EndpointSource.empty.utf8).write(to: file("empty.swift"))
    }

    deinit { try? FileManager.default.removeItem(at: location) }

    /// Compiles the endpoints, and returns the additional time compared with the empty file.
    func compile(_ arguments: [String]) async throws -> TimeSpent {
        let empty = try await compile("empty", arguments)
        return try await compile("endpoints", arguments) - empty
    }

    private func compile(_ name: String, _ arguments: [String]) async throws -> TimeSpent {
        let output = arguments.contains("-c") ? ["-o", file("\(name).o").path] : []
        return try await compiler.compile(
            file("\(name).swift"),
            arguments + output,
            output: file("\(name).txt")
        )
    }

    private func file(_ name: String) -> URL { location.appendingPathComponent(name) }
}
