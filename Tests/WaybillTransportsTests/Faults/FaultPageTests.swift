#if os(Linux)
    import Foundation
    import Testing

    @Suite("TransportFaults.md")
    struct FaultPageTests {
        @Test("TransportFaults.md has a row for exactly the tested faults")
        func rows() throws {
            let rows = [Fault.all.map(\.row), WiderFault.all.map(\.row)]
            let tables = try tables()
            #expect(tables == rows, "the rows are:\n\(rows.joined().joined(separator: "\n"))")
        }

        /// Returns the rows of the page's tables, without their headers.
        private func tables() throws -> [[String]] {
            let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { path, _ in path.deletingLastPathComponent() }
            let page = try String(
                contentsOf: root.appending(path: "Documentation/Run/TransportFaults.md"),
                encoding: .utf8
            )
            return page.components(separatedBy: "\n").split { !$0.hasPrefix("|") }.map { Array($0.dropFirst(2)) }
        }
    }
#endif
