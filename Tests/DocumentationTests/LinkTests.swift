import Foundation
import Testing

@Suite("Links")
struct LinkTests {
    @Test("Every relative link on a page targets an existing file and heading", arguments: Repository.pages)
    func links(_ page: MarkdownPage) throws {
        let folder = (page.path as NSString).deletingLastPathComponent
        for link in page.links where !link.target.contains("://") {
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? page.path : Self.path(folder, String(parts[0]))
            guard Repository.contains(target) else {
                Issue.record("\(link.place): there is no file \(target)")
                continue
            }
            guard parts.count == 2 else { continue }
            #expect(
                Repository.anchors[target]?.contains(String(parts[1])) == true,
                "\(link.place): \(target) has no heading #\(parts[1])"
            )
        }
    }

    // DocC shows the first paragraph of an article as its abstract.
    @Test("A page starts with a paragraph that ends with a period", arguments: Repository.pages)
    func abstract(_ page: MarkdownPage) throws {
        let paragraphs = page.text.components(separatedBy: "\n\n").dropFirst()
        let first = try #require(paragraphs.first { !$0.hasPrefix("[Documentation]") && !$0.hasPrefix("[README]") })
        #expect(first.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("."), "\(page.path): \(first)")
    }

    @Test("The index lists each page under the heading of its folder")
    func index() throws {
        let index = try Repository.page("Documentation/README.md")
        var group = ""
        var listed: [String] = []
        for line in index.text.split(separator: "\n") {
            if line.hasPrefix("## ") { group = String(line.dropFirst(3)) }
            guard let link = line.firstMatch(of: /^ *- \[[^\]]+\]\(([^)]+)\): ./) else { continue }
            #expect(link.output.1.hasPrefix("\(group)/"), "\(line)")
            listed.append("Documentation/\(link.output.1)")
        }
        let roots = ["README.md", index.path]
        #expect(listed.sorted() == Repository.pages.map(\.path).filter { !roots.contains($0) }.sorted())
    }

    @Test("Every page links to the index, and README.md links to the index and each page")
    func everyPage() throws {
        let linked = Set(try Repository.page("README.md").links.map(\.target))
        #expect(Repository.pages.count > 1)
        for page in Repository.pages where page.path != "README.md" {
            #expect(linked.contains(page.path), "README.md does not link \(page.path)")
            #expect(page.links.contains { $0.target == "../README.md" }, "\(page.path) does not link the index")
        }
    }

    private static func path(_ folder: String, _ target: String) -> String {
        var parts = folder.split(separator: "/").map(String.init)
        for part in target.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
