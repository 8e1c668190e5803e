import Foundation
import TestSupport
import Testing

@Suite(
    "Modules isolated to the main actor by default",
    .inTurn,
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct MainActorTests {
    private static let misuses = Task {
        try await Compilation(of: Misuse.mainActor.map(\.snippet), in: .mainActor)
    }

    // Separate from the misuses: the compiler checks synthesized code only in a module without other errors.
    private static let correctUses = Task { try await Compilation(of: Snippet.mainActor, in: .mainActor) }

    @Test(
        "A plain Codable type is rejected as content, and the diagnostic explains why",
        .thorough,
        arguments: Misuse.mainActor
    )
    func misuse(_ misuse: Misuse) async throws {
        let errors = try await Self.misuses.value.diagnostics(of: misuse.snippet).filter { $0.severity == .error }
        #expect(!errors.isEmpty, "it compiles:\n\(misuse.snippet.code)")
        #expect(
            errors.allSatisfy { $0.says(misuse.message) },
            "\(errors.map(\.description).joined(separator: "\n"))"
        )
    }

    @Test("Recommended code compiles without a warning on the main actor", arguments: Snippet.mainActor)
    func correctUse(_ snippet: Snippet) async throws {
        let diagnostics = try await Self.correctUses.value.diagnostics(of: snippet)
        #expect(diagnostics.isEmpty, "\(diagnostics.map(\.description).joined(separator: "\n"))")
    }

    @Test("Recommended code produces no compiler output", arguments: SwiftCompiler.LanguageMode.tried)
    func silence(_ mode: SwiftCompiler.LanguageMode) async throws {
        let output =
            switch mode {
            case .six: try await Self.correctUses.value.output
            case .five: try await Compilation(of: Snippet.mainActor, in: .mainActor, mode: mode).output
            }
        #expect(output.isEmpty, "\(output)")
    }

    @Test(
        "A plain Hashable type in a Hashable entity has a diagnostic without a source location",
        .thorough,
        arguments: SwiftCompiler.LanguageMode.tried
    )
    func synthesized(_ mode: SwiftCompiler.LanguageMode) async throws {
        let severity: Diagnostic.Severity = mode == .five ? .warning : .error
        let misuse = Misuse.mainActorSynthesized
        let compilation = try await Compilation(of: [misuse.snippet], in: .mainActor, mode: mode)
        let diagnostics = compilation.diagnosticsWithoutPlace
        #expect(diagnostics.contains { $0.severity == severity && $0.says(misuse.message) }, "\(compilation.output)")
        #expect(compilation.diagnostics(of: misuse.snippet).isEmpty)
    }

    @Test("Declaring.md quotes the diagnostics of plain types verbatim")
    func page() throws {
        let page = RepositoryRoot.url.appendingPathComponent("Documentation/Declare/Declaring.md")
        let prose = try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for misuse in [try #require(Misuse.mainActor.first), .mainActorSynthesized] {
            #expect(prose.contains("`\(misuse.message)`"))
        }
    }
}
