import TestSupport
import Testing

@Suite("Traits of suites", .inTurn)
struct SuiteTraitTests {
    private static let files = Repository.files(below: "Tests", withExtension: "swift")
        .filter { !$0.hasPrefix("Tests/TestSupport") && !$0.hasSuffix("SuiteTraitTests.swift") }

    @Test("A suite that uses a socket, a process or a store on disk has a trait to run in turn")
    func turns() throws {
        let uses = [
            "LoopbackServer.run(", "TLSServer.shared", "CuttingServer(", "StoreWriterProcess(", "StoreFolder()",
            "TemporaryFolder()", "SwiftCompiler.compile(",
        ]
        for path in Self.files {
            let text = try Repository.text(of: path)
            guard text.contains("@Suite("), let use = uses.first(where: text.contains) else { continue }
            let isInTurn = text.contains(".inTurn") || text.contains(".largeInTurn")
            #expect(isInTurn, "\(path) has \(use): its suite needs the trait .inTurn")
        }
    }

    @Test("No test has a time limit other than the safety net")
    func limits() throws {
        for path in Self.files {
            let hasLimit = try Repository.text(of: path).contains(".timeLimit(.")
            #expect(!hasLimit, "\(path): use .safetyNet")
        }
    }
}
