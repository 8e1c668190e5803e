import Foundation

/// The source of the walkthrough, from which each step prints its own lines, so that the printed code is the code that
/// runs.
enum Source {
    /// Returns the lines of the closure that follows the title of a step; none if the file cannot be read.
    static func code(below title: String) -> [String] {
        let rest = lines.drop { !$0.contains("(\"\(title)\") {") }
        guard let opening = rest.first else { return [] }
        let code = rest.dropFirst().prefix { $0.indentation > opening.indentation }
        let margin = code.map(\.indentation).min() ?? 0
        return code.map { String($0.dropFirst(margin)) }
    }

    private static let lines: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Walkthrough.swift")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n")
    }()
}

extension String {
    fileprivate var indentation: Int { prefix { $0 == " " }.count }
}
