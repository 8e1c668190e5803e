import Foundation

/// A file of samples, which has the blocks of pages word for word at any indentation.
nonisolated struct SampleFile: Sendable {
    private let lines: [String]

    static let all = Repository.files(below: "Tests/DocumentationTests/Samples", withExtension: "swift")
        .compactMap { try? SampleFile(path: $0) }

    init(path: String) throws {
        lines = try Repository.text(of: path).components(separatedBy: "\n").map(Self.trimmed)
    }

    /// Returns whether the file has the lines one after the other; imports before them may be elsewhere, also in `#if`.
    func contains(_ block: [String]) -> Bool {
        let imports = block.prefix { $0.hasPrefix("import ") }
        guard imports.allSatisfy({ wanted in lines.contains { $0.drop { $0 == " " } == wanted } }) else { return false }
        let wanted = Self.dedented(block.dropFirst(imports.count).drop(while: \.isEmpty).map(Self.trimmed)[...])
        guard let first = wanted.first?.drop(while: { $0 == " " }), lines.count >= wanted.count else { return false }
        return (0...lines.count - wanted.count).contains { start in
            lines[start].hasSuffix(first) && Self.dedented(lines[start..<start + wanted.count]) == wanted
        }
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func dedented(_ lines: ArraySlice<String>) -> [String] {
        let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }
    }
}
