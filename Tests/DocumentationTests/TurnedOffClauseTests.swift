import Foundation
import TestSupport
import Testing

@Suite("Clauses turned off by an inner scope", .safetyNet)
nonisolated struct TurnedOffClauseTests {
    @Test("Every clause in the sources has exactly one row, and every row belongs to a clause")
    func clauses() throws {
        // A scope within a scope is a group of clauses.
        let clauses = try SwiftCode.sources.get().values.flatMap(\.clauses).filter { $0 != "Scope" }
        #expect(OffTable.rows.map(\.clause).sorted() == clauses.sorted())
    }

    @Test("A call that turns a clause off equals a call without the clause", arguments: OffTable.rows)
    func calls(row: OffTable.Row) async throws {
        guard let proof = row.proof else { return }
        let plain = await proof.trace(hasOuter: false, hasInner: false)
        #expect(await proof.trace(hasOuter: true, hasInner: false) != plain)
        #expect(await proof.trace(hasOuter: true, hasInner: true) == plain)
        #expect(await proof.trace(hasOuter: false, hasInner: true) == plain)
    }

    @Test("A clause that is turned off in a separate test names an existing test", arguments: OffTable.rows)
    func tests(row: OffTable.Row) throws {
        guard let test = row.test else { return }
        #expect(try test.exists(), "\(test.file): \(test.name)")
    }

    @Test("Declaring.md lists each clause that its own .none does not turn off, with the one that does")
    func page() throws {
        let page = try Repository.page("Documentation/Declare/Declaring.md")
        let listed = page.rows(ofTableUnder: "Clause of an outer scope").flatMap { row in
            row[0].components(separatedBy: ", ").map { clause in
                "\(clause): \(row[1])".replacingOccurrences(of: "`", with: "")
            }
        }
        for row in OffTable.rows where row.off != "\(row.clause).none" && !row.off.isEmpty {
            #expect(listed.contains { $0.hasPrefix("\(row.clause): ") && $0.contains(row.off) }, "\(row)")
        }
    }
}
