import Foundation
import Testing

@Suite(
    "In a module whose default isolation is the main actor",
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct MainActorTests {
    private static let compilation = Task {
        try await Compilation(of: Misuse.mainActor.map(\.snippet) + Snippet.mainActor, in: .mainActor)
    }

    @Test("A plain Codable type is rejected as content, and the diagnostic says why", arguments: Misuse.mainActor)
    func misuse(_ misuse: Misuse) async throws {
        let errors = try await Self.compilation.value.diagnostics(of: misuse.snippet).filter { $0.severity == .error }
        #expect(!errors.isEmpty, "it compiles:\n\(misuse.snippet.code)")
        #expect(
            errors.allSatisfy { $0.says(misuse.message) },
            "\(errors.map(\.description).joined(separator: "\n"))"
        )
    }

    @Test("Recommended code compiles without a warning on the main actor", arguments: Snippet.mainActor)
    func correctUse(_ snippet: Snippet) async throws {
        let diagnostics = try await Self.compilation.value.diagnostics(of: snippet)
        #expect(diagnostics.isEmpty, "\(diagnostics.map(\.description).joined(separator: "\n"))")
        #expect(try await Self.compilation.value.diagnosticsOfSurroundings.isEmpty)
    }

    @Test("Declaring.md has the diagnostic of a plain Decodable type word for word")
    func page() throws {
        let page = RepositoryRoot.url.appendingPathComponent("Documentation/Declaring.md")
        let prose = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let summary = try #require(Misuse.mainActor.first)
        #expect(prose.contains("`\(summary.message)`"))
    }
}
