import Testing

@Suite(
    "What the diagnostics recommend compiles, without a warning",
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct CorrectUseTests {
    private static let compilation = Task { try await Compilation(of: Snippet.correctUses) }

    @Test(arguments: Snippet.correctUses)
    func correctUse(_ snippet: Snippet) async throws {
        let diagnostics = try await Self.compilation.value.diagnostics(of: snippet)
        #expect(diagnostics.isEmpty, "\(diagnostics.map(\.description).joined(separator: "\n"))")
    }

    @Test("The compiler has nothing to say at all")
    func silence() async throws {
        let output = try await Self.compilation.value.output
        #expect(output.isEmpty, "\(output)")
    }
}
