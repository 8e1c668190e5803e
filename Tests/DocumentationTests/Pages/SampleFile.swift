import Foundation

/// A file of samples, which contains blocks of pages verbatim at any indentation.
nonisolated struct SampleFile: Sendable {
    private let lines: [String]

    /// The indices of each line, by its text without indentation.
    private let places: [String: [Int]]

    static let all = Repository.files(below: "Tests/DocumentationTests/Samples", withExtension: "swift")
        .compactMap { try? SampleFile(path: $0) }

    init(path: String) throws {
        let lines = try Repository.text(of: path).components(separatedBy: "\n").map(Self.trimmed)
        self.lines = lines
        places = Dictionary(grouping: lines.indices) { Self.unindented(lines[$0]) }
    }

    /// Returns whether the file contains the lines consecutively; leading imports may be elsewhere, even in `#if`.
    func contains(_ block: [String]) -> Bool {
        let imports = block.prefix { $0.hasPrefix("import ") }
        guard imports.allSatisfy({ places[$0] != nil }) else { return false }
        let wanted = Self.dedented(block.dropFirst(imports.count).drop(while: \.isEmpty).map(Self.trimmed)[...])
        guard let first = wanted.first else { return false }
        return places[Self.unindented(first), default: []].contains { start in
            let end = start + wanted.count
            return end <= lines.count && Self.dedented(lines[start..<end]) == wanted
        }
    }

    private static func trimmed(_ line: String) -> String {
        line.utf8.last != UInt8(ascii: " ")
            ? line : String(decoding: line.utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed(), as: UTF8.self)
    }

    private static func unindented(_ line: String) -> String {
        String(decoding: line.utf8.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    private static func dedented(_ lines: ArraySlice<String>) -> [String] {
        let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }
    }
}
