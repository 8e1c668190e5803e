import Foundation
import Testing

@Suite("Code blocks of the pages")
nonisolated struct CodeBlockTests {
    /// The blocks that a sample has word for word: Swift as code, everything else in a literal that a test compares.
    static let shown = (Repository.pages + Repository.landingPages).flatMap(\.blocks)
        .filter { $0.language != "sh" && !isManifest($0) }

    static let commands = Repository.pages.flatMap(\.blocks).filter { $0.language == "sh" }
        .flatMap(\.lines)

    static let manifests = Repository.pages.flatMap(\.blocks).filter(isManifest)

    private static func isManifest(_ block: MarkdownPage.Block) -> Bool {
        block.text.contains(".package(") || block.text.contains(".product(")
    }

    @Test("Every code block of a page stands word for word in a sample", arguments: shown)
    func block(_ block: MarkdownPage.Block) {
        #expect(SampleFile.all.contains { $0.contains(block.lines) }, "\(block.place)\n\(block.text)")
    }

    @Test("Code blocks of pages are Swift, text, JSON or shell commands")
    func languages() {
        let languages = Set(Repository.pages.flatMap(\.blocks).map(\.language))
        #expect(languages.isSubset(of: ["swift", "text", "json", "sh"]))
    }

    @Test("Commands on pages run programs of the package", arguments: commands)
    func command(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
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
