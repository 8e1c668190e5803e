import Foundation
import Testing
import WaybillJSON

@Suite("Encoding containers")
struct EncodingContainerTests {
    enum Key: String, CodingKey { case a, b, c, d }
    enum OtherKey: String, CodingKey { case a, x, y }

    @Test("A container can be written to while a nested one is open")
    func outerWhileInnerIsOpen() throws {
        let text = try text { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: OtherKey.self, forKey: .a)
            try inner.encode(1, forKey: .x)
            try outer.encode(2, forKey: .b)
            try inner.encode(3, forKey: .y)
            try outer.encode(4, forKey: .c)
        }
        #expect(text == #"{"a":{"x":1,"y":3},"b":2,"c":4}"#)
    }

    @Test("Two arrays written to alternately each contain the right elements")
    func arraysInTurn() throws {
        let text = try text { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var first = outer.nestedUnkeyedContainer(forKey: .a)
            var second = outer.nestedUnkeyedContainer(forKey: .b)
            for number in 1...4 {
                try first.encode(number)
                try second.encode(["n": number])
                var nested = first.nestedUnkeyedContainer()
                try second.encode("x")
                try nested.encode(number)
            }
            #expect(first.count == 8)
            #expect(second.count == 8)
        }
        #expect(
            text == #"{"a":[1,[1],2,[2],3,[3],4,[4]],"#
                + #""b":[{"n":1},"x",{"n":2},"x",{"n":3},"x",{"n":4},"x"]}"#
        )
    }

    @Test("A second container for the same key continues the first")
    func sameKeyTwice() throws {
        let text = try text { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var first = outer.nestedContainer(keyedBy: OtherKey.self, forKey: .a)
            try first.encode(1, forKey: .x)
            try outer.encode([1, 2], forKey: .b)
            var second = outer.nestedContainer(keyedBy: OtherKey.self, forKey: .a)
            try second.encode(2, forKey: .y)
            try second.encode(3, forKey: .x)
            var more = outer.nestedUnkeyedContainer(forKey: .b)
            try more.encode(3)
        }
        #expect(text == #"{"a":{"x":3,"y":2},"b":[1,2,3]}"#)
    }

    @Test("A nested container in a continued container continues the existing one")
    func sameKeyTwiceWithin() throws {
        let text = try text { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            try outer.encode(["x": ["y": [1]], "z": ["y": [2]]], forKey: .a)
            var second = outer.nestedContainer(keyedBy: OtherKey.self, forKey: .a)
            var within = second.nestedContainer(keyedBy: OtherKey.self, forKey: .x)
            var array = within.nestedUnkeyedContainer(forKey: .y)
            try array.encode(3)
            try within.encode(true, forKey: .a)
        }
        #expect(text == #"{"a":{"x":{"y":[1,3],"a":true},"z":{"y":[2]}}}"#)
    }

    @Test("If a key is encoded twice, the last value replaces the first in its position")
    func duplicates() throws {
        let text = try text { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            try object.encode(["a": 1], forKey: .b)
            try object.encode("two", forKey: .a)
            try object.encodeNil(forKey: .b)
        }
        #expect(text == #"{"a":"two","b":null}"#)
    }

    @Test("Keys that a strategy makes equal share one member")
    func convertedDuplicates() throws {
        struct Names: Encodable {
            let fooBar = 1
            let other = 2
            let foo_bar = 3
        }
        let encoder = WaybillJSONEncoder { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(try encoder.text(of: Names()) == #"{"foo_bar":3,"other":2}"#)
        let custom = WaybillJSONEncoder { $0.keyEncodingStrategy = .custom { _ in AnyKey("k") } }
        #expect(try custom.text(of: Names()) == #"{"k":3}"#)
    }

    @Test("Containers with several key types write to one object")
    func severalKeyTypes() throws {
        let text = try text { encoder in
            var first = encoder.container(keyedBy: Key.self)
            try first.encode(1, forKey: .a)
            try first.encode(2, forKey: .b)
            var second = encoder.container(keyedBy: OtherKey.self)
            try second.encode(3, forKey: .x)
            try second.encode(4, forKey: .a)
            var third = encoder.container(keyedBy: AnyKey.self)
            try third.encode(5, forKey: "b")
            try first.encode(6, forKey: .c)
        }
        #expect(text == #"{"a":4,"b":5,"x":3,"c":6}"#)
    }

    class Base: Encodable { let id = 1 }

    final class Derived: Base {
        let name = "x"

        enum CodingKeys: CodingKey { case name }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("A super encoder writes to a separate member at any time, and an unused one encodes an empty object")
    func superEncoders() throws {
        #expect(
            try WaybillJSONEncoder().text(of: [Derived(), Derived()])
                == #"[{"name":"x","super":{"id":1}},{"name":"x","super":{"id":1}}]"#
        )
        let text = try text { encoder in
            var object = encoder.container(keyedBy: Key.self)
            let first = object.superEncoder()
            let second = object.superEncoder(forKey: .b)
            _ = object.superEncoder(forKey: .c)
            try object.encode(1, forKey: .a)
            var array = object.nestedUnkeyedContainer(forKey: .d)
            let third = array.superEncoder()
            try array.encode(2)
            try 3.encode(to: second)
            try [4].encode(to: third)
            try ["x": 5].encode(to: first)
        }
        #expect(text == #"{"super":{"x":5},"b":3,"c":{},"a":1,"d":[[4],2]}"#)
    }

    @Test("A type that encodes itself as a dictionary can add members")
    func addedMembers() throws {
        let text = try text { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(["a": 1, "x": 2])
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(3, forKey: .a)
            try object.encode(4, forKey: .b)
        }
        #expect(text == #"{"a":3,"x":2,"b":4}"#)
    }

    @Test("A type that encodes itself as a dictionary can add members to the objects within")
    func addedInnerMembers() throws {
        let text = try text { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(["a": ["x": 1], "b": ["y": 2]])
            var object = encoder.container(keyedBy: Key.self)
            var inner = object.nestedContainer(keyedBy: OtherKey.self, forKey: .a)
            try inner.encode(3, forKey: .y)
        }
        #expect(text == #"{"a":{"x":1,"y":3},"b":{"y":2}}"#)
    }

    @Test("A single value that fails to encode is omitted if the type catches the error and encodes another")
    func caughtErrorOfSingleValue() throws {
        let text = try text { encoder in
            var array = encoder.unkeyedContainer()
            try array.encode(
                ScriptedValue { inner in
                    var single = inner.singleValueContainer()
                    try? single.encode([1, .nan])
                    try? single.encode(ScriptedValue { try ["a": [Double.infinity]].encode(to: $0) })
                    try single.encode("instead")
                }
            )
        }
        #expect(text == #"["instead"]"#)
    }

    @Test("A member or an element that fails to encode is omitted if the type catches the error")
    func caughtErrors() throws {
        let failing = ScriptedValue { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            var array = object.nestedUnkeyedContainer(forKey: .b)
            try array.encode(Double.nan)
        }
        let text = try text { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try? object.encode(failing, forKey: .a)
            try? object.encode(Double.infinity, forKey: .b)
            var array = object.nestedUnkeyedContainer(forKey: .c)
            try? array.encode(failing)
            try array.encode(1)
            try? array.encode([failing])
            try array.encode(2)
            try object.encode(ScriptedValue { try ["k": 1].encode(to: $0) }, forKey: .d)
        }
        #expect(text == #"{"c":[1,2],"d":{"k":1}}"#)
    }

    @Test("A value can be encoded after its outer container has been written to")
    func outerBeforeValue() throws {
        let text = try text { encoder in
            var object = encoder.container(keyedBy: Key.self)
            // A copy of the container writes to the same object.
            let copy = object
            try object.encode(
                ScriptedValue { inner in
                    var outer = copy
                    try outer.encode(1, forKey: .b)
                    var single = inner.singleValueContainer()
                    try single.encode("late")
                },
                forKey: .a
            )
            try object.encode(2, forKey: .c)
        }
        #expect(text == #"{"a":"late","b":1,"c":2}"#)
    }

    @Test("Each of hundreds of keys in one object is encoded once")
    func manyKeys() throws {
        let text = try text { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<300 { try object.encode(number, forKey: AnyKey(stringValue: "k\(number)")) }
            try object.encode(-1, forKey: "k7")
        }
        let decoded = try WaybillJSONDecoder().decode([String: Int].self, from: Data(text.utf8))
        #expect(decoded.count == 300)
        #expect(decoded["k7"] == -1)
    }

    @Test("A coding path contains unconverted keys, through containers, super encoders and elements")
    func codingPaths() throws {
        enum NumberedKey: Int, CodingKey { case first, second }
        var paths: [String] = []
        func note(_ path: [any CodingKey]) {
            paths.append(path.map { "\($0.stringValue)\($0.intValue.map { "=\($0)" } ?? "")" }.joined(separator: "/"))
        }
        let value = ScriptedValue { encoder in
            var outer = encoder.container(keyedBy: NumberedKey.self)
            note(outer.codingPath)
            var array = outer.nestedUnkeyedContainer(forKey: .second)
            note(array.codingPath)
            try array.encode(1)
            let superEncoder = array.superEncoder()
            note(superEncoder.codingPath)
            var named = superEncoder.container(keyedBy: AnyKey.self)
            try named.encode(ScriptedValue { note($0.codingPath) }, forKey: AnyKey(intValue: 7))
            let other = outer.superEncoder(forKey: .first)
            note(other.codingPath)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .first)
            try inner.encode([ScriptedValue { note($0.codingPath) }], forKey: .b)
            note(array.codingPath)
        }
        _ = try WaybillJSONEncoder().encode(value)
        #expect(
            paths == [
                "", "second=1", "second=1/Index 1=1", "second=1/Index 1=1/7=7", "first=0", "first=0/b/Index 0=0",
                "second=1",
            ]
        )
    }

    @Test("A value that encodes nothing is an empty object, or an error if it is the complete document")
    func nothing() throws {
        #expect(try text { try [ScriptedValue { _ in }].encode(to: $0) } == "[{}]")
        #expect(encodingError(encoding: ScriptedValue { _ in })?.reason == "The value has encoded nothing.")
    }
}
