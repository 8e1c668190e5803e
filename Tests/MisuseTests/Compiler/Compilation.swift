import Foundation

/// What the compiler says of snippets, each a file of its own, all of them compiled at once.
struct Compilation: Sendable {
    /// The whole output.
    let output: String

    private let diagnostics: [String: [Diagnostic]]

    /// Compiles snippets in a folder that is gone afterwards.
    init(of snippets: [Snippet]) async throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("misuse-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }

        let texts = [("Shop.swift", Surroundings.shop)] + snippets.map { ($0.fileName, Surroundings.file(of: $0)) }
        var files: [URL] = []
        for (name, text) in texts {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            files.append(file)
        }
        output = try await SwiftCompiler.typecheck(
            files,
            arguments: BuiltModules.arguments(),
            output: folder.appendingPathComponent("output.txt")
        )
        diagnostics = Dictionary(grouping: Diagnostic.all(in: output), by: \.file)
    }

    /// The errors and warnings in a snippet.
    func diagnostics(of snippet: Snippet) -> [Diagnostic] { diagnostics[snippet.fileName] ?? [] }

    /// The errors and warnings in what the snippets stand in.
    var diagnosticsOfSurroundings: [Diagnostic] { diagnostics["Shop.swift"] ?? [] }
}
