import TestSupport
import Testing

@Suite(
    "Misuses",
    .inTurn,
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct MisuseTests {
    private static let compilation = Task { try await Compilation(of: Misuse.all.map(\.snippet)) }

    @Test(arguments: Misuse.all)
    func misuse(_ misuse: Misuse) async throws {
        let diagnostics = try await Self.compilation.value.diagnostics(of: misuse.snippet)
        #expect(diagnostics.contains { $0.severity == .error }, "it compiles:\n\(misuse.snippet.code)")
        #expect(
            diagnostics.contains { $0.says(misuse.message) },
            """
            no diagnostic says "\(misuse.message)"; they say:
            \(diagnostics.map(\.description).joined(separator: "\n"))
            """
        )
    }

    @Test("No misuse of a body causes a diagnostic about `try`")
    func bodies() async throws {
        let compilation = try await Self.compilation.value
        for misuse in Misuse.all where misuse.snippet.code.contains("Body(image)") {
            let diagnostics = compilation.diagnostics(of: misuse.snippet)
            #expect(!diagnostics.contains { $0.says("try") }, "\(misuse)")
        }
    }

    @Test("The code around misuses compiles, and misuses have unique names")
    func surroundings() async throws {
        let compilation = try await Self.compilation.value
        #expect(compilation.diagnosticsOfSurroundings.isEmpty, "\(compilation.output)")
        #expect(Set(Misuse.all.map(\.snippet.typeName)).count == Misuse.all.count)
    }
}
