import Foundation
import Testing

@Suite("Code blocks on pages")
nonisolated struct CodeBlockTests {
    /// The blocks that appear verbatim in a sample: Swift as code, everything else in a literal that a test compares.
    static let shown = (Repository.pages + Repository.landingPages).flatMap(\.blocks)
        .filter { $0.language != "sh" && !isManifest($0) }

    static let commands = Repository.pages.flatMap(\.blocks).filter { $0.language == "sh" }
        .flatMap(\.lines)

    static let manifests = Repository.pages.flatMap(\.blocks).filter(isManifest)

    private static func isManifest(_ block: MarkdownPage.Block) -> Bool {
        block.text.contains(".package(") || block.text.contains(".product(name:")
    }

    @Test("Every code block on a page appears verbatim in a sample", arguments: shown)
    func block(_ block: MarkdownPage.Block) {
        #expect(SampleFile.all.contains { $0.contains(block.lines) }, "\(block.place)\n\(block.text)")
    }

    @Test("Code blocks on pages are Swift, text, JSON or shell commands")
    func languages() {
        let languages = Set(Repository.pages.flatMap(\.blocks).map(\.language))
        #expect(languages.isSubset(of: ["swift", "text", "json", "sh"]))
    }

    /// Returns the `for try await` lines in code with a typed error.
    private static func typedLoops(in lines: [String]) -> [String] {
        var found: [String] = []
        var indentation: Int?
        for line in lines {
            let depth = line.prefix { $0 == " " }.count
            if let start = indentation, !line.isEmpty, depth <= start { indentation = nil }
            if indentation != nil, line.contains("for try await ") { found.append(line) }
            if line.hasSuffix("{") || line.contains("{  //"), line.contains("throws(") { indentation = depth }
        }
        return found
    }

    // AsyncSequence.Failure requires macOS 15 and iOS 18, and the package supports older systems.
    @Test("No code block uses for try await in code with a typed error, which older systems reject", arguments: shown)
    func typedLoop(_ block: MarkdownPage.Block) {
        #expect(Self.typedLoops(in: block.lines) == [], "\(block.place)")
    }

    @Test("A loop in code with a typed error is found, but one outside it is not")
    func loopDetection() {
        let loop = "    for try await item in items { print(item) }"
        #expect(Self.typedLoops(in: ["do throws(APIError) {", loop, "}"]) == [loop])
        #expect(Self.typedLoops(in: ["func load() async throws(APIError) {  // typed", loop, "}"]) == [loop])
        #expect(Self.typedLoops(in: ["do {", loop, "} catch {", "}"]) == [])
        #expect(Self.typedLoops(in: ["do throws(APIError) {", "} catch {", loop, "}"]) == [])
    }

    @Test("Commands on pages run tests or programs of the package", arguments: commands)
    func command(_ command: String) throws {
        // Environment variables come first.
        let words = command.split(separator: " ").drop { $0.contains("=") }.map(String.init)
        #expect(words.first == "swift")
        let programs = try Manifest.programs()
        #expect(words.contains("test") || words.contains { programs.contains($0) }, "\(command)")
    }

    @Test("Manifest lines on pages name products of the package", arguments: manifests)
    func manifest(_ block: MarkdownPage.Block) throws {
        let names = block.text.matches(of: /\.product\(name: "(\w+)", package: "Waybill"\)/)
            .map { String($0.output.1) }
        #expect(!names.isEmpty)
        #expect(try Manifest.libraries().isSuperset(of: names), "\(block.place)")
    }
}
