import Foundation
import Testing
import WaybillJSON

/// 128-bit integers, decoded with every method that a type can call.
@Suite("128-bit integers")
struct WideIntegerTests {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Member<Value: Decodable & Equatable>: Decodable, Equatable { let v: Value }

    /// A type whose synthesized initializer calls the methods for each integer type.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Signed: Decodable {
        let v: Int128
        let optional: Int128?
        let list: [Int128]
        let named: [String: Int128]
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Unsigned: Decodable {
        let v: UInt128
        let optional: UInt128?
        let list: [UInt128]
        let named: [String: UInt128]
    }

    /// A type that decodes elements with each method of an unkeyed container for the integer types.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Elements: Decodable {
        let signed: Int128
        let unsigned: UInt128
        let optionals: [String]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            signed = try container.decode(Int128.self)
            unsigned = try container.decode(UInt128.self)
            optionals = [
                "\(String(describing: try container.decodeIfPresent(Int128.self)))",
                "\(String(describing: try container.decodeIfPresent(UInt128.self)))",
                "\(String(describing: try container.decodeIfPresent(Int128.self)))",
                "\(String(describing: try container.decodeIfPresent(UInt128.self)))",
            ]
        }
    }

    /// A type that decodes itself with a single value container.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct Single: Decodable {
        let signed: Int128
        let unsigned: UInt128

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            signed = try container.decode(Int128.self)
            unsigned = try container.decode(UInt128.self)
        }
    }

    static let signed = [
        "0", "-1", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
    ]
    static let unsigned = [
        "0", "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455",
    ]

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test("A signed 128-bit integer is decoded exactly in every position", arguments: signed)
    func readSigned(text: String) throws {
        let value = try #require(Int128(text))
        let json = #"{"v":\#(text),"optional":\#(text),"list":[\#(text),\#(text)],"named":{"a":\#(text)}}"#
        let read = try Self.decode(Signed.self, json)
        #expect(read.v == value)
        #expect(read.optional == value)
        #expect(read.list == [value, value])
        #expect(read.named == ["a": value])
        #expect(try Self.decode(Int128.self, text) == value)
        #expect(try Self.decode(Int128?.self, text) == value)
        #expect(try Self.decode([Int128?].self, "[\(text),null]") == [value, nil])
        #expect(try Self.decode([[Int128]].self, "[[\(text)],[]]") == [[value], []])
        #expect(try Self.decode(Member<Int128>.self, "{\"v\":\(text)}").v == value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test("An unsigned 128-bit integer is decoded exactly in every position", arguments: unsigned)
    func readUnsigned(text: String) throws {
        let value = try #require(UInt128(text))
        let json = #"{"v":\#(text),"optional":\#(text),"list":[\#(text),\#(text)],"named":{"a":\#(text)}}"#
        let read = try Self.decode(Unsigned.self, json)
        #expect(read.v == value)
        #expect(read.optional == value)
        #expect(read.list == [value, value])
        #expect(read.named == ["a": value])
        #expect(try Self.decode(UInt128.self, text) == value)
        #expect(try Self.decode(UInt128?.self, text) == value)
        #expect(try Self.decode([UInt128?].self, "[\(text),null]") == [value, nil])
        #expect(try Self.decode(Member<UInt128>.self, "{\"v\":\(text)}").v == value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test("A missing or null optional 128-bit integer is nil", arguments: ["null", nil])
    func absent(text: String?) throws {
        let optional = text.map { #""optional":\#($0),"# } ?? ""
        let json = #"{"v":1,\#(optional)"list":[],"named":{}}"#
        #expect(try Self.decode(Signed.self, json).optional == nil)
        #expect(try Self.decode(Unsigned.self, json).optional == nil)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test("128-bit integers are decoded by the methods of every container")
    func containers() throws {
        let large = "170141183460469231731687303715884105727"
        let elements = try Self.decode(Elements.self, "[-1e20,1e20,null,null,\(large),\(large)]")
        #expect(elements.signed == -100_000_000_000_000_000_000)
        #expect(elements.unsigned == 100_000_000_000_000_000_000)
        #expect(elements.optionals == ["nil", "nil", "Optional(\(large))", "Optional(\(large))"])
        let single = try Self.decode(Single.self, large)
        #expect(single.signed == .max)
        #expect(single.unsigned == UInt128(Int128.max))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(
        "A 128-bit integer out of range, with a fraction or of another type is an error at its path",
        arguments: [
            ("170141183460469231731687303715884105728", "340282366920938463463374607431768211456", "dataCorrupted"),
            ("-170141183460469231731687303715884105729", "-1", "dataCorrupted"),
            ("1e39", "1e39", "dataCorrupted"), ("1.5", "0.5", "dataCorrupted"), ("\"1\"", "\"1\"", "typeMismatch"),
            ("null", "null", "valueNotFound"), ("[]", "{}", "typeMismatch"),
        ]
    )
    func reject(signed: String, unsigned: String, kind: String) {
        func words(_ type: String, at path: String) -> Outcome {
            .failure(kind == "dataCorrupted" ? "\(kind) at <\(path)>" : "\(kind) \(type) at <\(path)>")
        }
        #expect(
            Outcome { try Self.decode(Signed.self, #"{"v":\#(signed),"list":[],"named":{}}"#) }
                == words("Int128", at: "v")
        )
        #expect(
            Outcome { try Self.decode(Unsigned.self, #"{"v":\#(unsigned),"list":[],"named":{}}"#) }
                == words("UInt128", at: "v")
        )
        #expect(Outcome { try Self.decode([Int128].self, "[1,\(signed)]") } == words("Int128", at: "Index 1#1"))
        #expect(Outcome { try Self.decode([String: UInt128].self, "{\"a\":\(unsigned)}") } == words("UInt128", at: "a"))
        #expect(Outcome { try Self.decode(Single.self, signed) } == words("Int128", at: ""))
        #expect(Outcome { try Self.decode(Elements.self, "[0,\(unsigned)]") } == words("UInt128", at: "Index 1#1"))
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try WaybillJSONDecoder().decode(type, from: Data(json.utf8))
    }
}
