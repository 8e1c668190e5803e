import TestSupport
import Testing

@Suite(
    "Code recommended by diagnostics",
    .inTurn,
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct CorrectUseTests {
    private static let compilation = Task { try await Compilation(of: Snippet.correctUses) }

    @Test(arguments: Snippet.correctUses)
    func correctUse(_ snippet: Snippet) async throws {
        let diagnostics = try await Self.compilation.value.diagnostics(of: snippet)
        #expect(diagnostics.isEmpty, "\(diagnostics.map(\.description).joined(separator: "\n"))")
    }

    @Test("A catch that casts every error to APIError compiles with the warning documented in Errors.md", .thorough)
    func castingCatch() async throws {
        let snippet = Snippet(
            "a catch that casts every error",
            """
                func run() async {
                    do { try await shop.products.delete(1) } catch let error as APIError { print(error) }
                }
            """
        )
        let diagnostics = try await Compilation(of: [snippet]).diagnostics(of: snippet)
        #expect(diagnostics.map(\.message) == ["'as' test is always true"])
    }

    @Test("One-line calls with bytes compile with a warning that explains how to send bytes", .thorough)
    func bytes() async throws {
        let snippet = Snippet(
            "one line calls with bytes",
            """
                func run(_ bytes: Data) async throws(APIError) {
                    try await client.post("images", body: bytes)
                    _ = try await client.put("images/1", body: bytes, as: Int.self)
                    let count: Int = try await client.patch("images/1", body: bytes) { Query("a", 1) }
                    _ = count
                }
            """
        )
        let diagnostics = try await Compilation(of: [snippet]).diagnostics(of: snippet)
        #expect(diagnostics.count == 3)
        for diagnostic in diagnostics {
            #expect(diagnostic.says("give the content type of the bytes: endpoint { P"), "\(diagnostic)")
            #expect(diagnostic.says("Body(bytes, contentType: \"image/png\") }"), "\(diagnostic)")
        }
    }

    @Test("Code recommended by a diagnostic compiles without a warning")
    func silence() async throws {
        let output = try await Self.compilation.value.output
        #expect(output.isEmpty, "\(output)")
    }
}
