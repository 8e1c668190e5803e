import Testing

@Suite("Abilities of Waybill's predecessors")
nonisolated struct SeedTableTests {
    @Test("Each of the 38 abilities names existing tests", arguments: SeedTable.lines)
    func tests(line: SeedTable.Line) throws {
        #expect(!line.tests.isEmpty)
        for test in line.tests { #expect(try test.exists(), "\(test.file): \(test.name)") }
    }

    @Test("The table has 38 numbered abilities in order")
    func numbers() {
        #expect(SeedTable.lines.map(\.number) == Array(1...38))
    }
}
