import Foundation
import Testing

@Suite("File names on pages")
struct PathNameTests {
    /// The paths of the repository's code, pages and commands.
    private static let files: Set<String> = {
        let folders = ["Sources", "Tests", "Benchmarks", "Documentation", ".ci", ".github"]
        return Set(
            folders.flatMap { folder in
                let paths = FileManager.default.enumerator(atPath: Repository.root.appendingPathComponent(folder).path)
                return [folder] + (paths?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
            }
        )
    }()

    @Test("Every path and every file name in Contributing.md exists")
    func contributing() throws {
        let page = try Repository.text(of: "Documentation/Operate/Contributing.md")
        let words = page.split(separator: "`").map(String.init)
        let paths = words.filter { word in
            ["Sources/", "Tests/", "Documentation/", ".ci/"].contains { word.hasPrefix($0) } && !word.contains("*")
        }
        #expect(paths.count > 10)
        for path in paths where !Self.files.contains(path) { Issue.record("there is no \(path)") }
        let names = words.filter { $0.hasSuffix(".swift") && !$0.contains("/") && !$0.contains(" ") }
        #expect(names.count > 3)
        for name in names where !Self.files.contains(where: { $0.hasSuffix("/\(name)") }) {
            Issue.record("there is no \(name)")
        }
    }

    @Test(
        "Each reading order in Architecture.md lists at most twenty existing files without repetition",
        arguments: [
            "To understand a read, open these files in this order:",
            "To understand a patch, open these files in this order:",
            "To understand a response of the mock, open these files in this order:",
        ]
    )
    func readingOrders(introduction: String) throws {
        let paths = try Self.readingOrder(introduction)
        #expect(paths.count > 8 && paths.count <= 20)
        #expect(Set(paths).count == paths.count)
        for path in paths where !Self.files.contains(path) { Issue.record("there is no \(path)") }
    }

    /// Returns the files of the numbered list below a line of Architecture.md, up to the next heading.
    private static func readingOrder(_ introduction: String) throws -> [String] {
        let page = try Repository.text(of: "Documentation/Operate/Architecture.md")
        let lines = page.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: introduction))
        let items = lines[start...].prefix { !$0.hasPrefix("#") }.filter { $0.contains(/^\d+\.\s/) }
        return try items.map { item in
            let match = try #require(item.firstMatch(of: #/^\d+\. `(Sources/[^`]+\.swift)`: \S/#), "\(item)")
            return String(match.output.1)
        }
    }

    @Test("Contributing.md has a row for each source folder")
    func modules() throws {
        let page = try Repository.text(of: "Documentation/Operate/Contributing.md")
        let sources = Self.files.filter { $0.hasPrefix("Sources/") }
        let modules = Set(sources.compactMap { $0.split(separator: "/").dropFirst().first })
        for module in modules { #expect(page.contains("| `Sources/\(module)` |"), "\(module)") }
    }

    @Test("The Swift Package Index documents every module with a catalog, and every library has a catalog")
    func packageIndex() throws {
        let text = try Repository.text(of: ".spi.yml")
        let list = try #require(text.firstMatch(of: /documentation_targets: \[(.*)\]/)).output.1
        let catalogs = Set(Repository.landingPages.compactMap { $0.path.split(separator: "/").dropFirst().first })
        #expect(Set(list.components(separatedBy: ", ")) == Set(catalogs.map(String.init)))
        #expect(try Manifest.libraries().isSubset(of: catalogs.map(String.init)))
    }

    @Test("The platforms in Stability.md match the manifest")
    func platforms() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let versions = manifest.matches(of: /\.(macOS|iOS|tvOS|watchOS|visionOS)\(\.v(\d+)\)/)
        let row = ["macOS", "iOS", "tvOS", "watchOS", "visionOS"].joined(separator: ", ")
        let numbers = versions.map { String($0.output.2) }.joined(separator: ", ")
        #expect(versions.map { String($0.output.1) }.joined(separator: ", ") == row)
        #expect(try Repository.text(of: "Documentation/Operate/Stability.md").contains("| \(row) | \(numbers) |"))
    }
}
