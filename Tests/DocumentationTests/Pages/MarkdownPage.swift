import Foundation
import Testing

/// A Markdown page with its fenced blocks, links and headings.
nonisolated struct MarkdownPage: Sendable, CustomTestStringConvertible {
    /// A fenced block.
    struct Block: Sendable, CustomTestStringConvertible {
        let language: String
        let lines: [String]
        /// The location of its start: the page's path and the line of the fence.
        let place: String

        var text: String { lines.joined(separator: "\n") }

        var testDescription: String { place }
    }

    /// A link to another page or an anchor.
    struct Link: Sendable, Hashable {
        let target: String
        let place: String
    }

    /// The path relative to the repository root.
    let path: String
    let text: String
    private(set) var blocks: [Block] = []
    private(set) var links: [Link] = []
    private(set) var headings: [String] = []

    var testDescription: String { path }

    init(path: String) throws {
        self.path = path
        text = try Repository.text(of: path)
        var open: (language: String, line: Int, lines: [String])?
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(
                        Block(language: block.language, lines: block.lines, place: "\(path):\(block.line)")
                    )
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), number + 1, [])
                }
            } else if open != nil {
                open?.lines.append(line)
            } else {
                read(line, place: "\(path):\(number + 1)")
            }
        }
    }

    private mutating func read(_ line: String, place: String) {
        if line.hasPrefix("#") { headings.append(line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)) }
        let prose = line.replacing(/`[^`]*`/, with: "code")
        links += prose.matches(of: /\]\(([^)\s]+)\)/).map { Link(target: String($0.output.1), place: place) }
    }

    /// The anchors of the headings in GitHub's spelling.
    var anchors: Set<String> {
        Set(
            headings.map { heading in
                heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                    .replacingOccurrences(of: " ", with: "-")
            }
        )
    }

    /// The paragraphs, list items, table rows and headings, each joined into one line.
    var passages: [String] {
        var passages: [String] = []
        var isOpen = false
        for line in text.components(separatedBy: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            let isWhole = line.isEmpty || line.hasPrefix("|") || line.hasPrefix("#")
            if isOpen, !isWhole, !line.hasPrefix("- ") {
                passages[passages.count - 1] += " \(line)"
            } else if !line.isEmpty {
                passages.append(line)
            }
            isOpen = !isWhole
        }
        return passages
    }

    /// Returns the cells of every row of the first table whose first header cell is the given text.
    func rows(ofTableUnder header: String) -> [[String]] {
        let lines = text.components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.hasPrefix("| \(header) |") }) else { return [] }
        return lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            line.replacingOccurrences(of: "\\|", with: "\u{0}").split(separator: "|")
                .map { $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "\u{0}", with: "|") }
        }
    }
}
