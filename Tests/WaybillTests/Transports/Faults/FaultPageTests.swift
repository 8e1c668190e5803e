import Foundation
import Testing

@Suite("TransportFaults.md")
struct FaultPageTests {
    @Test("has a row for each fault of the table, as it is tested, and no other")
    func rows() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Documentation/TransportFaults.md"), encoding: .utf8)
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map(String.init)
        let rows = Fault.all.map(\.row)
        #expect(lines == rows, "the rows are:\n\(rows.joined(separator: "\n"))")
    }
}
