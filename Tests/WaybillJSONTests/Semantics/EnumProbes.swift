import Foundation
import Testing

@Suite("Decoding of enums, unions and raw values, compared with Foundation")
struct EnumProbes {
    enum Colour: String, Decodable { case red, green = "GREEN", empty = "" }
    enum Level: Int, Decodable { case low = 1, high = 10 }
    enum Tiny: UInt8, Decodable { case zero = 0, full = 255 }
    enum Ratio: Double, Decodable { case half = 0.5, one = 1 }

    enum Shape: Decodable {
        case point
        case circle(radius: Double)
        case rectangle(width: Double, height: Double = 1)
        case named(String)
        case maybe(Int?)
        indirect case group(Shape, of: Int)
    }

    enum Renamed: Decodable {
        case text(String)
        case number(value: Int)

        enum CodingKeys: String, CodingKey { case text = "t", number = "n" }
        enum NumberCodingKeys: String, CodingKey { case value = "v" }
    }

    static let raw: [Probe] =
        Probe.each(
            [#""red""#, #""green""#, #""GREEN""#, #""""#, #""\u0072ed""#, "1", "null", "[]", #""Red""#],
            as: Colour.self
        )
        + Probe.each(["1", "10", "2", "1.0", #""1""#, "null", "1.5", "1e1", "true", "1e99"], as: Level.self)
        + Probe.each(["0", "255", "256", "-1", "1"], as: Tiny.self)
        + Probe.each(["0.5", "1", "1.0", "5e-1", "2", #""0.5""#], as: Ratio.self)
        + Probe.each([#"["red","blue"]"#, #"["red",null]"#], as: [Colour].self)
        + Probe.each([#"["red",null]"#, #"["blue"]"#], as: [Colour?].self)
        + Probe.each([#"{"a":"red"}"#, #"{"a":"blue"}"#, #"{"a":1}"#], as: [String: Colour].self)

    static let payloads: [Probe] =
        Probe.each(
            [
                #"{"point":{}}"#, #"{"point":null}"#, #"{"point":1}"#, #"{"point":{"x":1}}"#,
                #"{"circle":{"radius":1.5}}"#,
                #"{"circle":{"radius":"x"}}"#, #"{"circle":{}}"#, #"{"circle":null}"#, #"{"circle":1}"#,
                #"{"circle":[]}"#,
                #"{"rectangle":{"width":1,"height":2}}"#, #"{"rectangle":{"width":1}}"#, #"{"named":{"_0":"a"}}"#,
                #"{"named":"a"}"#, #"{"maybe":{"_0":null}}"#, #"{"maybe":{}}"#, #"{"maybe":{"_0":1}}"#,
                #"{"group":{"_0":{"group":{"_0":{"point":{}},"of":2}},"of":3}}"#,
                #"{"group":{"_0":{"group":{"_0":{"circle":{}},"of":2}},"of":3}}"#, #"{"unknown":{}}"#, "{}",
                #"{"point":{},"circle":{"radius":1}}"#, #"{"point":{},"unknown":{}}"#, #""point""#, "null", "[]", "1",
            ],
            as: Shape.self
        )
        + Probe.each([#"{"t":{"_0":"a"}}"#, #"{"n":{"v":1}}"#, #"{"number":{"value":1}}"#], as: Renamed.self)

    /// A value of one of several types, tried in order on the same JSON value.
    enum Union: Decodable {
        case int(Int)
        case bool(Bool)
        case double(Double)
        case text(String)
        case list([Union])
        case object([String: Union])
        case null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? [Union](from: decoder) {
                self = .list(value)
            } else {
                self = .object(try container.decode([String: Union].self))
            }
        }
    }

    struct A: Decodable { let a: Int }
    struct B: Decodable { let b: [Int] }

    enum AOrB: Decodable {
        case a(A)
        case b(B)

        init(from decoder: any Decoder) throws {
            do { self = .a(try A(from: decoder)) } catch { self = .b(try B(from: decoder)) }
        }
    }

    static let unions: [Probe] =
        Probe.each(
            [
                "1", "1.5", "true", "null", #""x""#, "[]", "{}", #"[1,[2,"x",[null]],{"a":[true,{"b":1.5}]}]"#, "1e2",
                "-0",
                "1e400", "18446744073709551616",
            ],
            as: Union.self
        )
        + Probe.each(
            [#"[{"a":1},{"b":[2]},{"a":"x","b":[3]}]"#, #"[{"a":1},{"c":1}]"#, #"[{"b":[1,"x"]}]"#, #"[{"b":null}]"#],
            as: [AOrB].self
        )

    struct Cents: RawRepresentable, Decodable { let rawValue: Int }
    struct Flags: OptionSet, Decodable { let rawValue: UInt8 }
    struct Word: RawRepresentable, Decodable {
        let rawValue: String
        init?(rawValue: String) {
            guard rawValue.count > 1 else { return nil }
            self.rawValue = rawValue
        }
    }

    /// A type that also decodes numbers written as strings, using `LosslessStringConvertible`.
    struct Lossless<Value: LosslessStringConvertible & Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Value.self) {
                self.value = value
            } else {
                guard let value = Value(try container.decode(String.self)) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "")
                }
                self.value = value
            }
        }
    }

    @propertyWrapper struct Defaulted: Decodable {
        var wrappedValue: Int

        init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws {
            wrappedValue = (try? decoder.singleValueContainer().decode(Int.self)) ?? -1
        }
    }

    @dynamicMemberLookup struct Wrapped: Decodable {
        @Defaulted var a: Int
        @Lossless<Int>.Wrapper var b: Int

        subscript(dynamicMember name: String) -> String { name }
    }

    static let wrappers: [Probe] =
        Probe.each(["1", #""1""#, "null", "1.5"], as: Cents.self) + Probe.each(["3", "256"], as: Flags.self)
        + Probe.each([#""ab""#, #""a""#, "1"], as: Word.self)
        + Probe.each([#"[1,"2"]"#, #"["x"]"#, "[null]", "[[]]"], as: [Lossless<Int>].self)
        + Probe.each(
            [
                #"{"a":1,"b":2}"#, #"{"a":"x","b":"3"}"#, #"{"a":null,"b":2}"#, #"{"b":2}"#, #"{"a":1}"#,
                #"{"a":1,"b":[]}"#,
            ],
            as: Wrapped.self
        )

    @Test("Decoding raw values matches Foundation's decoder", arguments: raw)
    func readRaw(probe: Probe) { probe.check() }

    @Test("Decoding enums with associated values matches Foundation's decoder", arguments: payloads)
    func readPayloads(probe: Probe) { probe.check() }

    @Test("Decoding unions matches Foundation's decoder", arguments: unions)
    func readUnions(probe: Probe) { probe.check() }

    @Test("Decoding wrappers matches Foundation's decoder", arguments: wrappers)
    func readWrappers(probe: Probe) { probe.check() }
}

extension EnumProbes.Lossless {
    @propertyWrapper struct Wrapper: Decodable {
        var wrappedValue: Value
        init(from decoder: any Decoder) throws { wrappedValue = try EnumProbes.Lossless(from: decoder).value }
    }
}
