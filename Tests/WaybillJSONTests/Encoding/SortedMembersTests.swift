import Foundation
import TestSupport
import Testing
import WaybillJSON

/// Objects whose keys are enumeration cases are sorted when they end; all others are sorted in a second pass.
@Suite("Sorted members")
struct SortedMembersTests {
    /// Keys that are not declared in alphabetical order.
    private enum Key: String, CodingKey, CaseIterable {
        case m, z, a, b
        case upper = "B"
        case slash = "a/b"
        case quote = "\""
        case accent = "é"
        case emoji = "😀"
        case empty = ""
        case long = "a key that is longer than one block of sixteen bytes"
        case longer = "a key that is longer than one block of sixteen bytes, too"
    }

    private struct Failure: Error {}

    /// A value that fails after encoding some members.
    private struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .z)
            try object.encode([2], forKey: .a)
            throw Failure()
        }
    }

    /// An object whose members depend on numbers.
    private struct RandomObject: Encodable {
        let calls: [UInt64]

        init(calls: [UInt64]) { self.calls = calls }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            guard let first = calls.first else { return }
            var generator = SplitMix64(seed: first)
            for (key, call) in zip(Key.allCases.shuffled(using: &generator), calls) {
                let inner = RandomObject(calls: calls.dropFirst(2).map { $0 >> 5 &+ 1 })
                switch call >> 3 % 9 {
                case 0, 1, 2: try object.encode(Int(call % 1_000_000), forKey: key)
                case 3: try object.encode(String(repeating: "x/", count: Int(call % 200)), forKey: key)
                case 4: try object.encode(inner, forKey: key)
                case 5: try object.encode([inner, RandomObject(calls: [])], forKey: key)
                case 6: try object.encode(["b": inner, "a": inner], forKey: key)
                case 7:
                    try object.encode(1, forKey: key)
                    try object.encode([2.5], forKey: key)
                default:
                    guard call % 3 == 0 else { continue }
                    var nested = object.nestedContainer(keyedBy: Key.self, forKey: key)
                    try nested.encode(true, forKey: .z)
                    try nested.encode(inner, forKey: .a)
                }
            }
        }
    }

    private static func sortedTexts(of value: some Encodable) throws -> (waybill: String, foundation: String) {
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        let waybill = WaybillJSONEncoder { $0.outputFormatting = .sortedKeys }
        return (try waybill.text(of: value), try foundation.text(of: value))
    }

    @Test("Members encoded in any order are sorted as by Foundation")
    func random() throws {
        var generator = SplitMix64(seed: 21)
        for _ in 0..<Thoroughness.repetitions(5000, otherwise: 300) {
            let calls = (0..<Int.random(in: 0...9, using: &generator)).map { _ in generator.next() }
            let texts = try Self.sortedTexts(of: RandomObject(calls: calls))
            if texts.waybill != texts.foundation { Issue.record("\(calls): \(texts.waybill)") }
        }
    }

    /// Nested objects in which the inner object is not the last member of the outer one.
    private struct Chain: Encodable {
        let length: Int
        let text: String

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            if length > 0 {
                try object.encode(Chain(length: length - 1, text: text), forKey: .z)
            } else {
                try object.encode(text, forKey: .z)
            }
            try object.encode(length, forKey: .a)
        }
    }

    @Test("Deeply nested objects are sorted, with short and long text", arguments: [10, 100_000])
    func nested(count: Int) throws {
        let texts = try Self.sortedTexts(of: Chain(length: 200, text: String(repeating: "/", count: count)))
        #expect(texts.waybill == texts.foundation)
    }

    @Test("A member that fails to encode is not among the sorted members")
    func failing() throws {
        let value = ScriptedValue { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .z)
            #expect(throws: Failure.self) { try object.encode(Failing(), forKey: .m) }
            try object.encode(2, forKey: .b)
            #expect(throws: Failure.self) { try object.encode(["x": [Failing()]], forKey: .a) }
        }
        let encoder = WaybillJSONEncoder { $0.outputFormatting = .sortedKeys }
        #expect(try encoder.text(of: ["y": value, "x": value]) == #"{"x":{"b":2,"z":1},"y":{"b":2,"z":1}}"#)
    }

    @Test("Documents with and without sorted keys can be encoded alternately")
    func alternating() throws {
        let value = Chain(length: 2, text: "x")
        for _ in 0..<2 {
            #expect(try WaybillJSONEncoder().text(of: value) == #"{"z":{"z":{"z":"x","a":0},"a":1},"a":2}"#)
            let texts = try Self.sortedTexts(of: value)
            #expect(texts.waybill == #"{"a":2,"z":{"a":1,"z":{"a":0,"z":"x"}}}"#)
        }
    }
}
