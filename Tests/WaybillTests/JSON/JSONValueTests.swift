import Foundation
import Testing
import Waybill

@Suite("JSONValue")
struct JSONValueTests {
    static let decoders: [any ResponseDecoder] = [WaybillJSONDecoder(), JSONDecoder()]

    static func decoded(
        _ text: String,
        by decoder: any ResponseDecoder = WaybillJSONDecoder()
    ) throws -> JSONValue {
        try decoder.decode(JSONValue.self, from: Data(text.utf8))
    }

    static func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

    // MARK: Decoding

    @Test(
        "JSONValue decodes each kind of value to the matching case",
        arguments: [
            ("null", "null"), ("true", "bool(true)"), ("false", "bool(false)"), ("\"é\\n\"", "string(\"é\\n\")"),
            ("0", "integer(0)"), ("-0", "integer(0)"), ("-7", "integer(-7)"), ("1.0", "integer(1)"),
            ("1e2", "integer(100)"),
            ("9223372036854775807", "integer(9223372036854775807)"),
            ("-9223372036854775808", "integer(-9223372036854775808)"),
            ("9223372036854775808", "number(9223372036854775808)"),
            ("0.1", "number(0.1)"), ("-12.50", "number(-12.5)"),
            ("1.0000000000000001", "number(1.0000000000000001)"),
            (
                "12345678901234567890123456789012345678",
                "number(12345678901234567890123456789012345678)"
            ),
            (
                "0.12345678901234567890123456789012345678",
                "number(0.12345678901234567890123456789012345678)"
            ),
            ("1.00000000000000000000", "integer(1)"), ("-9223372036854775809", "number(-9223372036854775809)"),
            ("18446744073709551615", "number(18446744073709551615)"), ("-120e-1", "integer(-12)"),
            ("9223372036854775807.0", "integer(9223372036854775807)"), ("-0.0", "integer(0)"),
            ("1e40", "number(10000000000000000000000000000000000000000)"),
            ("0.10000000000000000000", "number(0.1)"), ("1e-130", "double(1e-130)"), ("1e160", "double(1e+160)"),
            ("1e300", "double(1e+300)"), ("-1e300", "double(-1e+300)"), ("1e-300", "double(1e-300)"),
            ("0e500", "integer(0)"),
            ("[]", "array([])"), ("[1,[null]]", "array([1, [null]])"),
            ("{}", "object([:])"), ("{\"created_at\":{\"b\":null}}", "object([\"created_at\": {\"b\":null}])"),
        ]
    )
    func decoding(text: String, expected: String) throws {
        for decoder in Self.decoders {
            #expect(try Self.caseName(Self.decoded(text, by: decoder)) == expected, "\(type(of: decoder))")
        }
    }

    static func caseName(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): "bool(\(value))"
        case .integer(let value): "integer(\(value))"
        case .number(let value): "number(\(value))"
        case .double(let value): "double(\(value))"
        case .numeral(let value): "numeral(\(value.text))"
        case .string(let value): "string(\(value.debugDescription))"
        case .array(let values): "array(\(values))"
        case .object(let members): "object(\(members))"
        }
    }

    @Test("JSONValue decodes the same at any position, and the first of two equal keys wins")
    func places() throws {
        struct Holder: Decodable {
            let value: JSONValue
            let list: [JSONValue]
            let table: [String: JSONValue]
            let optional: JSONValue?
        }
        let value: JSONValue = ["a": [1, [], [:], ["b": [nil, 2.5, "x\n", "é"]]], "c": true]
        let text = #"{"a":[1,[],{},{"b":[null,2.5,"x\n","é"],"b":0}],"a":[],"c":true}"#
        let body = #"{"value":\#(text),"list":[\#(text),7],"table":{"k":\#(text)},"optional":null}"#
        let holder = try WaybillJSONDecoder().decode(Holder.self, from: Data(body.utf8))
        #expect(holder.value == value)
        #expect(holder.list == [value, 7])
        #expect(holder.table == ["k": value])
        #expect(holder.optional == nil)
    }

    @Test(
        "JSONValue preserves numbers that neither Decimal nor Double can represent",
        arguments: [
            "0.1234567890123456789012345678901234567890123", "1E400", "340282366920938463463374607431768211456.5",
        ]
    )
    func numerals(text: String) throws {
        let value = try Self.decoded(text)
        #expect(value.description == text)
        #expect(value.decimalValue == nil)
        #expect(JSONValue.Numeral(text).map(JSONValue.numeral) == value)
    }

    @Test("A decoding error within a JSONValue has a coding path")
    func errorPath() {
        let error = #expect(throws: DecodingError.self) { try Self.decoded(#"{"a":[[],{"b":[0,"\ud83d"]}]}"#) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("expected corrupted data")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1", "b", "Index 1"])
    }

    @Test("JSONValue throws for a number out of Double's range when decoded with Foundation's decoder")
    func numberOutOfRange() {
        #expect(throws: DecodingError.self) { try Self.decoded("[1E400]", by: JSONDecoder()) }
    }

    @Test("JSONValue leaves object keys unchanged under a key strategy")
    func keyStrategies() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var waybill = WaybillJSONDecoder()
        waybill.keyDecodingStrategy = .convertFromSnakeCase
        for decoder in [decoder, waybill] as [any ResponseDecoder] {
            let value = try Self.decoded("{\"first_name\":{\"last_name\":1}}", by: decoder)
            #expect(value == ["first_name": ["last_name": 1]])
        }

        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(
            String(decoding: try encoder.encode(["firstName": 1] as JSONValue), as: UTF8.self) == "{\"firstName\":1}"
        )
    }

    @Test("JSONValue decodes 256 nesting levels on a 1 MB stack and rejects more", arguments: 0...1)
    func deepNesting(decoder: Int) throws {
        final class Outcome: @unchecked Sendable {  // Written by the thread alone, read after it has ended.
            var depth = 0
            var errors: [String] = []
        }
        let outcome = Outcome()
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            func nested(_ levels: Int) -> String {
                String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            }
            var value = try? Self.decoded(nested(256), by: Self.decoders[decoder])
            let copy = value
            if value == copy, value?.description == nested(256), value?.hashValue == copy?.hashValue {
                while let inner = value {
                    outcome.depth += 1
                    value = inner[0]
                }
            }
            for levels in [257, 10_000] {
                do {
                    _ = try Self.decoded(nested(levels), by: Self.decoders[decoder])
                } catch DecodingError.dataCorrupted(let context) {
                    outcome.errors.append(context.debugDescription)
                } catch {}
            }
            ended.signal()
        }
        thread.stackSize = 1024 * 1024
        thread.start()
        ended.wait()
        #expect(outcome.depth == 256)
        #expect(outcome.errors.count == 2)
        #expect(outcome.errors.first == "The value is nested more than 256 levels deep.")
    }

    // MARK: Encoding

    @Test(
        "JSONValue survives an encoding round trip",
        arguments: [
            "null", "true", "\"\\u0000\\\"\\\\/\"", "-3", "0.30000000000000004", "18446744073709551615",
            "79228162514264337593543950335.12345678", "1e300", "1e-300", "[]", "{}",
            "{\"a\":[1,2.5,{\"b\":null}],\"\":\"\"}",
        ]
    )
    func roundTrip(text: String) throws {
        let value = try Self.decoded(text)
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
        #expect(try Self.decoded(value.description) == value)
    }

    @Test("JSONValue survives a property list round trip")
    func propertyList() throws {
        let value: JSONValue = ["a": [1, 2.5, "x", true, ["b": 1e300]], "c": .number(try Self.decimal("0.1"))]
        let data = try PropertyListEncoder().encode(value)
        #expect(try PropertyListDecoder().decode(JSONValue.self, from: data) == value)
    }

    @Test(
        "JSONValue throws when encoding a number that JSON cannot represent",
        arguments: [
            JSONValue.number(.nan), .double(.nan), .double(.infinity), .double(-.infinity), JSONValue(Decimal.nan),
        ]
    )
    func notANumber(value: JSONValue) {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([value]) }
        #expect(value.description == "null")
        #expect(value == value)
        #expect(value.intValue == nil && value.decimalValue == nil)
    }

    // MARK: Equality

    @Test("JSONValue numbers compare and hash by value")
    func numericEquality() throws {
        let groups: [[JSONValue]] = [
            [.integer(1), .number(1), .number(try Self.decimal("1.0")), .double(1), .double(1.0)],
            [.integer(0), .number(0), .double(0), .double(-0.0), 0.0],
            [.integer(-5), .number(-5), .double(-5)],
            [.number(try Self.decimal("0.1")), .double(0.1), 0.1],
            [.integer(.max), .number(Decimal(Int.max))],
            [.integer(.max - 1), .number(Decimal(Int.max - 1))],
            [.integer(.min), .number(Decimal(Int.min))],
            [.number(Decimal(sign: .plus, exponent: 120, significand: 1)), .double(1e120)],
            [.number(Decimal(sign: .plus, exponent: 127, significand: 123)), .double(1.23e129)],
            [.double(1e300)], [.double(-1e300)], [.double(.infinity)], [.double(-.infinity)],
            [.number(.nan), .double(.nan), .double(-.nan)],
            [.string("1")], [.bool(true)], [.bool(false)], [.null], [.array([1]), .array([1.0])],
        ]
        for (i, left) in groups.enumerated() {
            for (j, right) in groups.enumerated() {
                for a in left {
                    for b in right {
                        #expect((a == b) == (i == j), "\(a) and \(b)")
                        if i == j { #expect(a.hashValue == b.hashValue, "\(a) and \(b)") }
                    }
                }
            }
        }
    }

    @Test("Neighboring large integers hash differently in JSONValue")
    func hashOfLargeIntegers() {
        let values = (0..<1000).map { JSONValue.integer(1 << 62 + $0) }
        #expect(Set(values.map(\.hashValue)).count > 990)
    }

    // MARK: Literals and creation

    @Test("JSONValue can be created from every kind of literal")
    func literals() throws {
        let value: JSONValue = [
            "null": nil, "bool": true, "integer": 3, "number": 1.5, "string": "a\(1)", "array": [1, nil], "object": [:],
        ]
        #expect(
            value.description
                == #"{"array":[1,null],"bool":true,"integer":3,"null":null,"number":1.5,"object":{},"string":"a1"}"#
        )
    }

    @Test("JSONValue literals keep the last value of a repeated key")
    func duplicateKey() {
        let value: JSONValue = ["a": 1, "b": 2, "a": 3]
        #expect(value == ["a": 3, "b": 2])
    }

    @Test("JSONValue initializers choose the narrowest case for a number")
    func creation() throws {
        #expect(Self.caseName(JSONValue(Decimal(5))) == "integer(5)")
        #expect(Self.caseName(JSONValue(try Self.decimal("5.5"))) == "number(5.5)")
        #expect(Self.caseName(JSONValue(5.0 as Double)) == "integer(5)")
        #expect(Self.caseName(JSONValue(0.1 as Double)) == "number(0.1)")
        #expect(Self.caseName(JSONValue(1e20 as Double)) == "number(100000000000000000000)")
        #expect(Self.caseName(JSONValue(Double.greatestFiniteMagnitude)) == "double(1.7976931348623157e+308)")
        #expect(Self.caseName(JSONValue(Double.leastNonzeroMagnitude)) == "double(5e-324)")
    }

    // MARK: Access

    @Test("JSONValue bounds-checks an index and counts negative indices from the end")
    func indices() {
        let value: JSONValue = [10, 20, 30]
        #expect(value[0] == 10 && value[2] == 30 && value[-1] == 30 && value[-3] == 10)
        #expect(value[3] == nil && value[-4] == nil && value[.max] == nil && value[.min] == nil)
        #expect((["a": 1] as JSONValue)[0] == nil)
    }

    @Test("JSONValue returns nil for a missing key or a value that is not an object, and null for a null member")
    func keys() {
        let value: JSONValue = ["a": nil, "b": ["c": 1]]
        #expect(value["a"] == .some(.null))
        #expect(value["b"]?["c"] == 1)
        #expect(value["x"] == nil && value["a"]?["c"] == nil && ([1] as JSONValue)["a"] == nil)
    }

    @Test("JSONValue accessors return a value only for the matching kind")
    func accessors() throws {
        let values: [JSONValue] = [nil, true, 1, 1.5, 1e300, "1", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false, false])
        #expect(values.map(\.boolValue) == [nil, true, nil, nil, nil, nil, nil, nil])
        #expect(values.map(\.intValue) == [nil, nil, 1, nil, nil, nil, nil, nil])
        #expect(values.map(\.doubleValue) == [nil, nil, 1, 1.5, 1e300, nil, nil, nil])
        #expect(values.map(\.decimalValue) == [nil, nil, 1, try Self.decimal("1.5"), nil, nil, nil, nil])
        #expect(values.map(\.stringValue) == [nil, nil, nil, nil, nil, "1", nil, nil])
        #expect(values.map(\.arrayValue) == [nil, nil, nil, nil, nil, nil, [1], nil])
        #expect(values.map(\.objectValue) == [nil, nil, nil, nil, nil, nil, nil, ["a": 1]])
    }

    @Test("JSONValue numbers convert only if the conversion is lossless")
    func conversions() throws {
        #expect(JSONValue.number(3).intValue == 3)
        #expect(JSONValue.double(3).intValue == 3)
        #expect(JSONValue.double(-3e30).intValue == nil)
        #expect(JSONValue.number(Decimal(Int.max) + 1).intValue == nil)
        #expect(JSONValue.double(0.1).decimalValue == (try Self.decimal("0.1")))
        #expect(JSONValue.number(try Self.decimal("0.1")).doubleValue == 0.1)
        #expect(JSONValue.number(.nan).doubleValue == nil)
        #expect(JSONValue.integer(.max).doubleValue == 9.223372036854775807e18)
    }

    // MARK: Description

    @Test(
        "JSONValue's description is compact JSON with sorted keys",
        arguments: [
            (["b": 1, "a": [1, 2.5, nil], "C": ["x": true]], #"{"C":{"x":true},"a":[1,2.5,null],"b":1}"#),
            ("a\"b\\c\n\r\t\u{0}\u{1f}\u{8}/é\u{2028}😀", "\"a\\\"b\\\\c\\n\\r\\t\\u0000\\u001f\\u0008/é\u{2028}😀\""),
            ("e\u{301}\r\n", "\"e\u{301}\\r\\n\""),
            (1e300, "1e+300"), ([], "[]"), ([:], "{}"), (-1, "-1"), (0.5, "0.5"),
        ] as [(JSONValue, String)]
    )
    func description(value: JSONValue, expected: String) throws {
        #expect(value.description == expected)
        #expect(try Self.decoded(expected) == value)
    }
}
