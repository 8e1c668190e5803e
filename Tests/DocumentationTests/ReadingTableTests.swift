import Foundation
import Testing

@Suite("Readings of each clause")
nonisolated struct ReadingTableTests {
    private static let passages = Dictionary(
        uniqueKeysWithValues: ReadingTable.Reading.allCases.map { reading in
            (reading, (try? Repository.page(reading.page).passages) ?? [])
        }
    )

    /// The joined text of the test files that have a row for each clause.
    private static let readings = Result<String, any Error> {
        let files = Repository.files(below: "Tests/WaybillDescriptionTests/Readings", withExtension: "swift")
        return try files.map { try Repository.text(of: $0) }.joined()
    }

    @Test("Every clause in the sources has exactly one row, and every row belongs to a clause")
    func clauses() throws {
        let clauses = try SwiftCode.sources.get().values.flatMap(\.clauses)
        #expect(ReadingTable.rows.map(\.clause).sorted() == clauses.sorted())
    }

    @Test("The clauses in the sources are all public types that conform to a clause protocol")
    func conformances() throws {
        let protocols: Set = ["Clause", "Scope", "Setting", "_RouteClause", "_MethodClause"]
        // Matching a regular expression in every file takes seconds.
        let files = try SwiftCode.sources.get().values.filter { !$0.names.isDisjoint(with: protocols) }
        let declared = files.map(\.text).reduce(0) { count, text in
            let types = text.matches(of: /\bpublic (?:\w+ )*(?:struct|enum|class|actor) \w+(?:<[^{}>]*>)?:([^{}]*)\{/)
            let extensions = text.matches(of: /\bextension [\w.]+:([^{}]*)\{/)
            return count + (types.map(\.output.1) + extensions.map(\.output.1)).count { Self.namesClause($0) }
        }
        #expect(declared > 50)
        #expect(try declared == SwiftCode.sources.get().values.map(\.clauses.count).reduce(0, +))
    }

    private static func namesClause(_ conformances: Substring) -> Bool {
        conformances.contains(/\b(?:Clause|Scope\.RepeatableClause|Setting|_RouteClause|_MethodClause)\b/)
    }

    @Test("A clause that is read names an existing test", arguments: ReadingTable.rows)
    func tests(row: ReadingTable.Row) throws {
        for (reading, cell) in row.cells {
            guard case .read(let test) = cell else { continue }
            #expect(try test.exists(), "\(reading): \(test.file): \(test.name)")
        }
    }

    @Test("A clause that is not read is listed with the reason on the reading's page", arguments: ReadingTable.rows)
    func sentences(row: ReadingTable.Row) throws {
        for (reading, cell) in row.cells {
            guard case .notRead(let sentence) = cell else { continue }
            let passages = try #require(Self.passages[reading])
            let isThere = passages.contains { $0.contains(sentence) && $0.contains("`\(row.clause)`") }
            #expect(isThere, "\(reading): no passage of \(reading.page) has `\(row.clause)` and: \(sentence)")
        }
    }

    @Test("A clause that a page lists as not read is not read", arguments: ReadingTable.Reading.allCases)
    func lists(reading: ReadingTable.Reading) throws {
        let others = ReadingTable.Reading.allCases.filter { $0.page == reading.page }
        let rows = Dictionary(uniqueKeysWithValues: ReadingTable.rows.map { ($0.clause, $0.cells) })
        let listed = try Repository.page(reading.page).rows(ofTableUnder: "Not read").flatMap { row in
            row[0].components(separatedBy: ", ").map { $0.replacingOccurrences(of: "`", with: "") }
        }
        #expect(listed.count > 10)
        #expect(Set(listed).count == listed.count)
        for clause in listed {
            let cells = try #require(rows[clause], "\(clause) is no clause")
            let isRead = others.allSatisfy { if case .read? = cells[$0] { true } else { false } }
            #expect(!isRead, "\(reading.page) lists `\(clause)`, which has tests")
        }
    }

    @Test("A test with a row for each clause has a row for the clause", arguments: ReadingTable.rows)
    func rowsOfTests(row: ReadingTable.Row) throws {
        let text = try Self.readings.get()
        for (reading, cell) in row.cells {
            guard case .read(let test) = cell, test.file.contains("/Readings/") else { continue }
            #expect(text.contains("\"\(row.clause)\"") || text.contains("\(row.clause)("), "\(reading)")
        }
    }
}
