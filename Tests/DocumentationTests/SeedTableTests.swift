import Testing

@Suite("The abilities of the libraries before Waybill")
nonisolated struct SeedTableTests {
    @Test("Each of the 38 abilities has a test that exists", arguments: SeedTable.lines)
    func tests(line: SeedTable.Line) throws {
        #expect(!line.tests.isEmpty)
        for test in line.tests { #expect(try test.exists(), "\(test.file): \(test.name)") }
    }

    @Test("The table has the 38 abilities of Predecessors.md, in order")
    func numbers() {
        #expect(SeedTable.lines.map(\.number) == Array(1...38))
    }
}
