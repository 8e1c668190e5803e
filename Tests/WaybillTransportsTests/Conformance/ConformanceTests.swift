import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill

@Suite("Conformance cases of the Swift HTTP API proposal", .inTurn, .safetyNet)
struct ConformanceTests {
    @Test(
        "A transport conforms to every case, except those listed on the page with a reason",
        arguments: ConformanceCase.all,
        Carrier.allCases
    )
    func fulfils(_ row: ConformanceCase, _ carrier: Carrier) async throws {
        guard row.unmet[carrier] == nil else { return }
        try await row.check(carrier)
    }

    @Test("There are 39 cases with unique names")
    func names() {
        #expect(Set(ConformanceCase.all.map(\.name)).count == 39)
        #expect(ConformanceCase.all.count == 39)
    }

    #if os(Linux)
        @Test("Transports.md has a row for exactly the cases that a transport does not conform to")
        func page() throws {
            let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { path, _ in path.deletingLastPathComponent() }
            let page = try String(contentsOf: root.appending(path: "Documentation/Run/Transports.md"), encoding: .utf8)
            let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Conformance\n") } ?? ""
            let rows = section.components(separatedBy: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
            let expected = ConformanceCase.rows
            #expect(Array(rows) == expected, "the rows are:\n\(expected.joined(separator: "\n"))")
        }
    #endif
}
