import Foundation

/// The compiler's diagnostics for files compiled as one module.
struct Compilation: Sendable {
    /// The compiler's complete output.
    let output: String

    private let diagnostics: [String: [Diagnostic]]

    /// Compiles files in a temporary folder, with additional compiler arguments.
    init(
        of files: [(name: String, text: String)],
        mode: SwiftCompiler.LanguageMode = .six,
        arguments: [String] = []
    ) async throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("misuse-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }

        var written: [URL] = []
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            written.append(file)
        }
        output = try await SwiftCompiler.compile(
            written,
            mode: mode,
            arguments: BuiltModules.arguments() + arguments,
            output: folder.appendingPathComponent("output.txt")
        )
        diagnostics = Dictionary(grouping: Diagnostic.all(in: output), by: \.file)
    }

    /// Returns the errors and warnings in a file.
    func diagnostics(in file: String) -> [Diagnostic] { diagnostics[file] ?? [] }
}

extension Compilation {
    /// Compiles snippets, each in a separate file, in a module with a default isolation.
    init(
        of snippets: [Snippet],
        in isolation: DefaultIsolation = .nonisolated,
        mode: SwiftCompiler.LanguageMode = .six
    ) async throws {
        try await self.init(
            of: [("Shop.swift", Surroundings.shop)] + snippets.map { ($0.fileName, Surroundings.file(of: $0)) },
            mode: mode,
            arguments: isolation.arguments
        )
    }

    /// Returns the errors and warnings in a snippet.
    func diagnostics(of snippet: Snippet) -> [Diagnostic] { diagnostics(in: snippet.fileName) }

    /// The errors and warnings without a source location, which are in synthesized code.
    var diagnosticsWithoutPlace: [Diagnostic] { diagnostics(in: Diagnostic.unknownFile) }

    /// The errors and warnings in the code around the snippets.
    var diagnosticsOfSurroundings: [Diagnostic] { diagnostics(in: "Shop.swift") }
}
