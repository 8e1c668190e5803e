import Foundation
import TestSupport
import Testing

@Suite(
    "README.md pasted into a file",
    .inTurn,
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH")
)
struct ReadmeTests {
    @Test("The first two code blocks of README.md compile as a single file", arguments: DefaultIsolation.tried)
    func wholeFile(_ isolation: DefaultIsolation) async throws {
        let page = try String(contentsOf: RepositoryRoot.url.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().prefix(2)
            .compactMap { $0.components(separatedBy: "```").first }
        try #require(blocks.count == 2)
        let text = blocks.joined(separator: "\n")
        let compilation = try await Compilation(of: [(name: "Shop.swift", text: text)], arguments: isolation.arguments)
        #expect(compilation.output.isEmpty, "\(compilation.output)")
    }
}
