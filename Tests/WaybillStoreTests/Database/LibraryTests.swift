import Testing
import WaybillStore

@Suite("The SQLite library")
struct LibraryTests {
    private func failure(_ library: SQLiteLibrary) async -> StoreError.DatabaseFailure? {
        do throws(StoreError) {
            _ = try await Database.open(at: nil, library: library) { _ in }
            return nil
        } catch {
            guard case .database(let failure) = error else { return nil }
            return failure
        }
    }

    @Test("A missing library throws an error that names the package to install")
    func missing() async {
        let failure = await failure(SQLiteLibrary(name: "libsqlite-none.so.0"))
        #expect(failure?.reason == .missingLibrary)
        #expect(failure?.message.contains("libsqlite3-0") == true)
    }

    #if os(Linux)
        @Test("A library other than SQLite throws an error that names the missing function")
        func foreign() async {
            let failure = await failure(SQLiteLibrary(name: "libc.so.6"))
            #expect(failure?.reason == .missingLibrary)
            #expect(failure?.message.contains("sqlite3_libversion_number") == true)
        }
    #endif

    @Test("An outdated library throws an error with both versions")
    func old() async {
        let failure = await failure(SQLiteLibrary(oldestVersion: 9_001_002))
        #expect(failure?.reason == .oldLibrary)
        #expect(failure?.message.contains("9.1.2") == true)
        #expect(failure?.message.contains("is version 3.") == true)
    }

    @Test("The system's library is accepted")
    func system() async { #expect(await failure(.system) == nil) }
}
