import TestSupport
import Testing
import Waybill
import WaybillStore
import storewriter

@Suite("A day of writes with one failing SQLite call", .inTurn, .safetyNet)
struct FaultTests {
    typealias Contents = ScriptedDay.Contents

    @Test(
        "After any failing call, the contents are those before or after the write",
        arguments: FaultyLibrary.Fault.all
    )
    func everyCall(_ fault: FaultyLibrary.Fault) async throws {
        let counter = FaultyLibrary()
        #expect(try await Self.day(counter) == 0)
        let count = counter.count
        #expect(count > 50)
        let numbers = Array(stride(from: 1, through: count, by: Thoroughness.repetitions(1, otherwise: 5)))
        var failures = 0
        for number in numbers { failures += try await Self.day(FaultyLibrary(failing: number, by: fault)) }
        // Some results do not matter, such as those of the day's last statements.
        #expect(failures > numbers.count / 2)
    }

    /// Performs a day's writes.
    ///
    /// - Returns: The number of failed openings and of failed writes, except for the write meant to fail.
    private static func day(_ faulty: FaultyLibrary) async throws -> Int {
        let folder = try StoreFolder()
        var failures = 0
        var contents = Contents()
        do throws(StoreError) {
            let database = try await Database.open(
                at: folder.file,
                library: faulty.library,
                prepare: ScriptedDay.prepare
            )
            for write in ScriptedDay.writes {
                let after = ScriptedDay.contents(contents, after: write)
                do throws(StoreError) {
                    try await database.write { (transaction) throws(StoreError) in
                        try ScriptedDay.perform(write, in: transaction)
                    }
                    #expect(write != .fail)
                    contents = after
                } catch {
                    if write == .fail { continue }
                    failures += 1
                    // If the fault is still ahead, it hits the reader, which therefore tries twice.
                    let found = try await Self.contents(of: database)
                    #expect(found == contents || found == after, "\(write)")
                    contents = found
                }
            }
            #expect(try await Self.contents(of: database) == contents)
            await database.close()
        } catch {
            failures += 1
        }
        let again = try await Database.open(at: folder.file, prepare: ScriptedDay.prepare)
        let found = try await Self.contents(of: again)
        #expect(found == contents)
        await again.close()
        return failures
    }

    private static func contents(of database: Database) async throws(StoreError) -> Contents {
        do throws(StoreError) {
            return try await database.read(ScriptedDay.contents(of:))
        } catch {
            return try await database.read(ScriptedDay.contents(of:))
        }
    }
}
