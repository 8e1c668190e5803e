import Foundation
import TestSupport
import Testing

@Suite("Clauses that an inner scope turns off", .safetyNet)
nonisolated struct TurnedOffClauseTests {
    @Test("Every clause of the sources has one row, and every row is that of a clause")
    func clauses() throws {
        // A scope within a scope is a group of clauses.
        let clauses = try SwiftCode.sources.get().values.flatMap(\.clauses).filter { $0 != "Scope" }
        #expect(OffTable.rows.map(\.clause).sorted() == clauses.sorted())
    }

    @Test("A call with a clause that its scope turns off is the call without the clause", arguments: OffTable.rows)
    func calls(row: OffTable.Row) async throws {
        guard let proof = row.proof else { return }
        let plain = await proof.trace(hasOuter: false, hasInner: false)
        #expect(await proof.trace(hasOuter: true, hasInner: false) != plain)
        #expect(await proof.trace(hasOuter: true, hasInner: true) == plain)
        #expect(await proof.trace(hasOuter: false, hasInner: true) == plain)
    }

    @Test("The test of a clause that is turned off elsewhere exists", arguments: OffTable.rows)
    func tests(row: OffTable.Row) throws {
        guard let test = row.test else { return }
        #expect(try test.exists(), "\(test.file): \(test.name)")
    }

    @Test("Declaring.md has each clause that .none of its name does not turn off, with the one that does")
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
