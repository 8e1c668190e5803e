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

    @Test("The line counts in Predecessors.md match its samples, with a reason if Waybill's is longer")
    func lines() throws {
        let page = try Repository.page("Documentation/Start/Predecessors.md")
        let rows = page.rows(ofTableUnder: "Sample")
        let start = try #require(page.text.range(of: "## Then and now"))
        let blocks = page.text[start.upperBound...].components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { $0.element.split(separator: "\n").dropFirst().count { !$0.allSatisfy(\.isWhitespace) } }
        #expect(rows.count == 21)
        #expect(blocks.count == 2 * rows.count)
        for (index, row) in rows.enumerated() where 2 * index + 1 < blocks.count {
            let (then, now) = (blocks[2 * index], blocks[2 * index + 1])
            #expect([row[1], row[2]] == ["\(then)", "\(now)"], "\(row[0])")
            #expect((row[3] == "—") == (now <= then), "\(row[0])")
        }
        let total = rows.reduce(into: (0, 0)) { total, row in
            total.0 += Int(row[1]) ?? 0
            total.1 += Int(row[2]) ?? 0
        }
        let totals = "older code has \(total.0) lines and Waybill's has \(total.1)"
        #expect(page.text.contains(totals))
    }

    // Other types belong to Swift or to the apps in the page's examples.
    @Test("Every Waybill type in Predecessors.md is declared in the sources")
    func symbols() throws {
        let examples: Set = ["AppError", "Codable", "Decodable", "Errors", "Person", "Message", "Void"]
        let keywords: Set = ["struct", "enum", "protocol", "class", "actor", "typealias", "func"]
        let declared = try SwiftCode.sources.get().values.reduce(into: Set<String>()) {
            $0.formUnion($1.names(behind: keywords))
        }
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
