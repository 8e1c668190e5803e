import Foundation
import TestSupport
import Testing
import WaybillJSON

/// Objects whose keys differ slightly from those that the decoder expects after earlier objects.
@Suite("Expected keys") struct ExpectedKeyTests {
    /// Keys around the lengths at which the comparison with an expected key changes.
    private struct Members: Decodable, Equatable {
        var k7: Int?
        var k8: Int?
        var k14: Int?
        var k15: Int?
        var k16: Int?
        var k17: Int?
        var k30: Int?
        var k31: Int?
        var k32: Int?
        var k33: Int?
        var k47: Int?
        var k64: Int?
        var k65: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case k7 = "abcdefg"
            case k8 = "abcdefgh"
            case k14 = "abcdefghijklmn"
            case k15 = "abcdefghijklmno"
            case k16 = "abcdefghijklmnop"
            case k17 = "abcdefghijklmnopq"
            case k30 = "abcdefghijklmnopqrstuvwxyzABCD"
            case k31 = "abcdefghijklmnopqrstuvwxyzABCDE"
            case k32 = "abcdefghijklmnopqrstuvwxyzABCDEF"
            case k33 = "abcdefghijklmnopqrstuvwxyzABCDEFG"
            case k47 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
            case k64 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
            case k65 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
        }

        /// The values of the members, in the order of their keys.
        var values: [Int?] { [k7, k8, k14, k15, k16, k17, k30, k31, k32, k33, k47, k64, k65] }
    }

    private static let keys = Members.CodingKeys.allCases.map(\.rawValue)

    /// Returns an object in which the value of each key is its index.
    private static func object(_ keys: [String]) -> String {
        "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
    }

    private static func decode(_ objects: [String]) throws -> [Members] {
        let document = Data(("[" + objects.joined(separator: ",") + "]").utf8)
        return try WaybillJSONDecoder().decode([Members].self, from: document)
    }

    @Test("A key that differs from the expected one in any byte does not match it", arguments: keys.indices)
    func differingByte(of index: Int) throws {
        let expected = Self.object(Self.keys)
        for place in Self.keys[index].indices {
            var keys = Self.keys
            keys[index].replaceSubrange(place...place, with: "!")
            let members = try Self.decode([expected, expected, expected, Self.object(keys), expected])
            var values: [Int?] = Array(Self.keys.indices)
            #expect(members[4].values == values)
            values[index] = nil
            #expect(members[3].values == values, "the byte at \(place.utf16Offset(in: keys[index]))")
        }
    }

    @Test("A key of another length than the expected one does not match it", arguments: keys.indices)
    func differingLength(of index: Int) throws {
        let expected = Self.object(Self.keys)
        let key = Self.keys[index]
        for other in ["\(key)!", String(key.dropLast()) + "\\u0021", String(key.dropLast()) + "é"] {
            var keys = Self.keys
            keys[index] = other
            var values: [Int?] = Array(Self.keys.indices)
            values[index] = nil
            #expect(try Self.decode([expected, expected, Self.object(keys)])[2].values == values, "\(other)")
        }
    }

    @Test("A key spelled with an escape matches the expected key", arguments: keys.indices)
    func escape(in index: Int) throws {
        let expected = Self.object(Self.keys)
        for place in Self.keys[index].indices {
            var keys = Self.keys
            let scalar = keys[index][place].unicodeScalars.first?.value ?? 0
            keys[index].replaceSubrange(place...place, with: "\\u00" + String(scalar, radix: 16))
            let members = try Self.decode([expected, expected, Self.object(keys), expected])
            #expect(members.allSatisfy { $0.values == Array(Self.keys.indices) }, "\(keys[index])")
        }
    }

    @Test("If a key is repeated, the first member wins, even if the second is at the expected position")
    func duplicates() throws {
        let expected = Self.object(Self.keys)
        for (index, key) in Self.keys.enumerated() {
            let duplicate = "{\"\(key)\":-1," + expected.dropFirst()
            var values: [Int?] = Array(Self.keys.indices)
            values[index] = -1
            #expect(try Self.decode([expected, expected, duplicate])[2].values == values, "\(key)")
        }
    }

    private static let cuts = Array(stride(from: 0, to: keys.count, by: Thoroughness.step))

    @Test(
        "A document truncated within or after an expected key is rejected",
        arguments: Thoroughness.some(cuts, oneIn: 3)
    )
    func cutOff(at index: Int) {
        let whole = Data(("[" + Self.object(Self.keys) + "," + Self.object(Array(Self.keys[...index]))).utf8)
        for count in whole.count - 2 * Self.keys[index].utf8.count..<whole.count {
            let document = whole.prefix(count)
            #expect(throws: DecodingError.self) { try WaybillJSONDecoder().decode([Members].self, from: document) }
        }
    }
}

/// Members that the decoded type does not read.
@Suite("Unread members") struct UnreadMemberTests {
    private struct Brief: Decodable, Equatable { let id: Int }

    @Test(
        "Invalid JSON in an unread member is rejected",
        arguments: [
            #""\x""#, "\"\u{1}\"", "01", "1.", "1e", "-", "+1", "nul", "truE", "[1,]", "[1 2]", "{\"a\"}",
            "{\"a\":}", "{\"a\":1,}", "{a:1}", "[[[1]]", "{\"a\":[{\"b\":\"\\q\"}]}", "'a'", "\"a",
        ]
    )
    func invalid(_ text: String) {
        for place in 0..<4 {
            var texts = ["1", "\"plain text of more than sixteen bytes\"", "[{\"b\":[]}]", "null"]
            texts[place] = text
            let members = texts.enumerated().map { "\"m\($0)\":\($1)" }.joined(separator: ",")
            let good = "{\"m0\":1,\"m1\":\"\",\"m2\":[{\"b\":[]}],\"m3\":null,\"id\":1}"
            let document = Data("[\(good),\(good),{\(members),\"id\":2}]".utf8)
            #expect(throws: DecodingError.self) { try WaybillJSONDecoder().decode([Brief].self, from: document) }
        }
    }

    @Test(
        "Invalid UTF-8 in an unread member is rejected, at any offset of its text",
        arguments: [[0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF]] as [[UInt8]]
    )
    func invalidUTF8(_ bytes: [UInt8]) {
        for prefix in stride(from: 0, to: 40, by: Thoroughness.step) {
            for suffix in [0, 1, 15, 16, 40] {
                var document = Data("[{\"text\":\"\",\"id\":1},{\"text\":\"".utf8)
                document += Data(repeating: UInt8(ascii: "a"), count: prefix)
                document += bytes
                document += Data(repeating: UInt8(ascii: "a"), count: suffix)
                document += Data("\",\"id\":2}]".utf8)
                #expect(throws: DecodingError.self) { try WaybillJSONDecoder().decode([Brief].self, from: document) }
            }
        }
    }

    @Test("Members nested in an unread member are ignored")
    func nested() throws {
        let nested = #"{"id":9,"a":{"id":8,"b":[{"id":7}]}}"#
        let document = Data("[{\"a\":\(nested),\"id\":1},{\"id\":2,\"a\":\(nested)},{\"a\":[\(nested)],\"id\":3}]".utf8)
        #expect(try WaybillJSONDecoder().decode([Brief].self, from: document) == [1, 2, 3].map(Brief.init))
    }

    @Test("Nesting in an unread member is limited by the maximum depth")
    func depth() throws {
        var decoder = WaybillJSONDecoder()
        decoder.maximumDepth = 100
        let deepest = String(repeating: "[", count: 98) + String(repeating: "]", count: 98)
        #expect(try decoder.decode([Brief].self, from: Data("[{\"a\":\(deepest),\"id\":1}]".utf8)) == [Brief(id: 1)])
        #expect(throws: DecodingError.self) {
            try decoder.decode([Brief].self, from: Data("[{\"a\":[\(deepest)],\"id\":1}]".utf8))
        }
    }
}
