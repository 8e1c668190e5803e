import Testing

@testable import WaybillJSON

@Suite("Key table")
struct KeyTableTests {
    /// Keys with the same start and end, such as an attacker would choose to fill one slot.
    static let alike = (0..<1500).map { Array("aaaaaaaa\($0 + 10_000)bbbbbbbb".utf8) }

    static func hashes(_ keys: [[UInt8]]) -> [UInt64] {
        let table = KeyTable()
        defer { table.deallocate() }
        return keys.map { key in key.withUnsafeBufferPointer { table.hash(of: $0) } }
    }

    @Test("Every byte of a key affects its hash in a key table")
    func wholeKeys() {
        #expect(Set(Self.hashes(Self.alike)).count == Self.alike.count)
    }

    @Test("Each key table hashes with a different seed")
    func seeds() {
        #expect(Self.hashes([Array("id".utf8)]) != Self.hashes([Array("id".utf8)]))
    }

    @Test("A key table always assigns the same number to a key")
    func numbers() {
        var table = KeyTable()
        defer { table.deallocate() }
        let keys = (0...64).map { [UInt8](repeating: 0x61, count: $0) } + Self.alike
        let number = { (key: [UInt8]) in key.withUnsafeBufferPointer { table.number(of: $0, keepingNew: true) } }
        let first = keys.map(number)
        #expect(Set(first).count == keys.count)
        #expect(!first.contains(0))
        #expect(keys.map(number) == first)
        #expect(number([UInt8](repeating: 0x61, count: 65)) == 0)
    }
}
