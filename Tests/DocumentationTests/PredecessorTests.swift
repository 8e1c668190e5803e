import Foundation
import Testing

@Suite("Predecessors.md")
struct PredecessorTests {
    private static func rows() throws -> [[String]] {
        let page = try Repository.page("Documentation/Start/Predecessors.md")
        let tables = page.text.components(separatedBy: "\n| Number |").dropFirst()
        return tables.flatMap { table in
            table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        }
    }

    @Test("Predecessors.md has a row for each of the 38 abilities, in order")
    func numbers() throws {
        #expect(try Self.rows().map { $0[0] } == (1...38).map(String.init))
    }

    // The others are types of Swift, and of the apps in the page's examples.
    @Test("Every type of Waybill in Predecessors.md is declared in the sources")
    func symbols() throws {
        let examples: Set = ["AppError", "Codable", "Decodable", "Errors", "Person", "Message", "Void"]
        let declaration = /\b(?:struct|enum|protocol|class|actor|typealias|func) (\w+)/
        let declared = try Set(
            Repository.files(below: "Sources", withExtension: "swift").flatMap { path in
                try Repository.text(of: path).matches(of: declaration).map { String($0.output.1) }
            }
        )
        for row in try Self.rows() {
            let code = row[2].matches(of: /`[^`]+`/).map { $0.output.replacing(/"[^"]*"/, with: "") }
            for name in Set(code.flatMap { $0.matches(of: /\b[A-Z]\w*[a-z]\w*/).map { String($0.output) } }) {
                guard !examples.contains(name) else { continue }
                let isDeclared = declared.contains(name)
                #expect(isDeclared, "\(row[0]): \(name)")
            }
        }
    }
}
