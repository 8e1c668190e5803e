import Foundation
import TestSupport
import Testing
import Waybill

@Suite("JSON merge patch")
struct JSONMergePatchTests {
    static func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test(
        "Merge patches produce the results of RFC 7396, appendix A",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, #"null"#, #"null"#),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
            (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
    )
    func appendixA(original: String, patch: String, result: String) throws {
        #expect(try Self.value(original).applying(mergePatch: Self.value(patch)).description == result)
    }

    @Test("A merge patch produces the result of the example in RFC 7396, section 3")
    func workedExample() throws {
        let original = try Self.value(
            #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"#
                + #""content":"This will be unchanged"}"#
        )
        let result = try Self.value(
            #"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"#
                + #""content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"#
        )
        let patch = JSONValue.mergePatch(from: original, to: result)
        #expect(
            patch?.description
                == #"{"author":{"familyName":null},"phoneNumber":"+01-123-456-7890","tags":["example"],"title":"Hello!"}"#
        )
        #expect(original.applying(mergePatch: try #require(patch)) == result)
    }

    @Test(
        "The merge patch between two JSON values contains only the changes",
        arguments: [
            ("{}", "{}", nil),
            ("[1]", "[1]", nil),
            ("null", "null", nil),
            (#"{"a":1,"b":{"c":[1,2]}}"#, #"{"b":{"c":[1.0,2]},"a":1.0}"#, nil),
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#),
            (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"b":null}"#),
            (#"{"a":{"b":{"c":1,"d":2}}}"#, #"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"d":null}}}"#),
            (#"{"a":[1,2]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"{"a":1}"#, #"{"a":{}}"#, #"{"a":{}}"#),
            (#"{"a":{"b":1}}"#, #"{"a":1}"#, #"{"a":1}"#),
            (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#),
            (#"{}"#, #"{"a":{"b":1}}"#, #"{"a":{"b":1}}"#),
            ("[1]", "[2]", "[2]"),
            ("{}", "[]", "[]"),
            ("1", #"{"a":1}"#, #"{"a":1}"#),
            (#"{"a":1}"#, "null", "null"),
            // The RFC cannot express a change to null: the key is removed or not added.
            (#"{"a":1}"#, #"{"a":null}"#, #"{"a":null}"#),
            (#"{}"#, #"{"a":null}"#, #"{"a":null}"#),
            (#"{"a":null}"#, #"{"a":null}"#, nil),
            (#"{"a":null}"#, #"{}"#, #"{"a":null}"#),
            (#"{"a":null}"#, #"{"a":1}"#, #"{"a":1}"#),
        ] as [(String, String, String?)]
    )
    func difference(old: String, new: String, patch: String?) throws {
        #expect(JSONValue.mergePatch(from: try Self.value(old), to: try Self.value(new))?.description == patch)
    }

    @Test("Applying the merge patch to the old JSON value yields the new value if the new value has no nulls")
    func property() async {
        var random = SplitMix64(seed: 7396)
        for _ in 0..<3000 {
            await Task.yield()
            let old = Self.randomValue(depth: 4, nulls: true, using: &random)
            // Half of the new values are mutations of the old ones, to make equal parts and nested changes common.
            let new =
                Bool.random(using: &random)
                ? Self.randomValue(depth: 4, nulls: false, using: &random)
                : Self.mutated(old, using: &random)
            if let patch = JSONValue.mergePatch(from: old, to: new) {
                #expect(old.applying(mergePatch: patch) == new, "\(old) → \(new) by \(patch)")
                #expect(old != new)
            } else {
                #expect(old == new)
            }
        }
    }

    @Test(
        "Merging one JSON value over another preserves null as a value",
        arguments: [
            (#"{"a":1}"#, #"{"a":2,"b":3}"#, #"{"a":1,"b":3}"#),
            (#"{"a":null}"#, #"{"a":2}"#, #"{"a":null}"#),
            (#"{"a":{"b":1}}"#, #"{"a":{"b":2,"c":3}}"#, #"{"a":{"b":1,"c":3}}"#),
            (#"{"a":{"b":null}}"#, #"{"a":{"b":{"x":1},"c":3}}"#, #"{"a":{"b":null,"c":3}}"#),
            (#"{"a":[1]}"#, #"{"a":[2,3]}"#, #"{"a":[1]}"#),
            (#"{"a":1}"#, #"{"a":{"b":1}}"#, #"{"a":1}"#),
            (#"{"a":{}}"#, #"{"a":1}"#, #"{"a":{}}"#),
            ("1", #"{"a":1}"#, "1"), ("null", "1", "null"), (#"{"a":1}"#, "1", #"{"a":1}"#),
            ("{}", #"{"a":1}"#, #"{"a":1}"#),
        ]
    )
    func merging(top: String, base: String, result: String) throws {
        #expect(try Self.value(top).merging(over: Self.value(base)).description == result)
    }

    // MARK: Random values

    static func randomValue(depth: Int, nulls: Bool, using random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &random) {
        case 0: nulls ? .null : .bool(true)
        case 1: .integer(.random(in: 0..<3, using: &random))
        case 2: .string(["", "x", "y"].randomElement(using: &random) ?? "")
        case 3: .number(0.5)
        case 4:
            .array(
                (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                    randomValue(depth: depth - 1, nulls: nulls, using: &random)
                }
            )
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                        (
                            ["a", "b", "c", "d"].randomElement(using: &random) ?? "",
                            randomValue(depth: depth - 1, nulls: nulls, using: &random)
                        )
                    }
                ) { $1 }
            )
        }
    }

    static func mutated(_ value: JSONValue, using random: inout SplitMix64) -> JSONValue {
        guard case .object(let members) = value, Int.random(in: 0..<5, using: &random) > 0 else {
            return value.isNull || Bool.random(using: &random)
                ? randomValue(depth: 2, nulls: false, using: &random) : withoutNulls(value)
        }
        var changed: [String: JSONValue] = [:]
        for key in members.keys.sorted() where Int.random(in: 0..<5, using: &random) > 0 {
            changed[key] = mutated(members[key] ?? .bool(false), using: &random)
        }
        return .object(changed)
    }

    static func withoutNulls(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.filter { !$0.isNull }.map(withoutNulls))
        case .object(let members): .object(members.filter { !$0.value.isNull }.mapValues(withoutNulls))
        default: value
        }
    }
}
