#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import WaybillStore
    import storewriter

    @Suite("Killed writers", .inTurn, .safetyNet)
    struct KilledWriterTests {
        @Test(
            "Killing a process at an SQLite call leaves the contents from before or after the write",
            .enabled(if: StoreWriterProcess.program != nil),
            arguments: ["before", "after"]
        )
        func killed(_ moment: String) async throws {
            let program = try #require(StoreWriterProcess.program)
            var number = 0
            var isKilled = true
            while isKilled {
                number += number == 0 ? 1 : Thoroughness.repetitions(1, otherwise: 11)
                let folder = try StoreFolder()
                let process = try StoreWriterProcess(program, [folder.file.path, String(number), moment])
                let (status, lines) = try await process.end()
                let done = lines.count
                isKilled = status == SIGKILL
                #expect(isKilled || status == 0)
                var contents = ScriptedDay.Contents()
                for write in ScriptedDay.writes.prefix(done) {
                    contents = ScriptedDay.contents(contents, after: write)
                }
                let next = ScriptedDay.writes.dropFirst(done).first
                let database = try await Database.open(at: folder.file, prepare: ScriptedDay.prepare)
                let found = try await database.read(ScriptedDay.contents(of:))
                let after = next.map { ScriptedDay.contents(contents, after: $0) }
                #expect(found == contents || found == after, "call \(number), \(done) writes")
                await database.close()
            }
            #expect(number > 50)
        }
    }
#endif
