import Foundation
import TestSupport
import Testing

/// Decodes every kind of JSON value as every kind of Swift type, at every position in a document.
@Suite("Every JSON value as every Swift type")
struct CrossTableTests {
    static let values = [
        "null", "true", "false", "0", "1", "-1", "-0", "1.0", "1.5", "1e2", "255", "256", "1e400",
        "18446744073709551616",
        #""""#, #""a""#, #""1""#, #""true""#, #""null""#, #""a\nb""#, "[]", "[1]", "[null]", "[[]]", "{}", #"{"a":1}"#,
        #"{"v":{"v":1}}"#,
    ]

    /// The position of a value in the document that contains it.
    enum Place: CaseIterable {
        case whole, element, member, deep

        func document(_ value: String) -> String {
            switch self {
            case .whole: value
            case .element: "[true,\(value)]"
            case .member: #"{"other":0,"v":\#(value)}"#
            case .deep: #"[{"v":[\#(value)]}]"#
            }
        }

        var path: String {
            switch self {
            case .whole: ""
            case .element: "Index 1#1"
            case .member: "v"
            case .deep: "Index 0#0 > v > Index 0#0"
            }
        }
    }

    /// A type that navigates to a value with containers, and decodes it there.
    struct Reached<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            value = try container.decode(Value.self, forKey: "v")
        }
    }

    struct Second<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            _ = try container.decode(Bool.self)
            value = try container.decode(Value.self)
        }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcome: @Sendable (DecoderSide, Place, String) -> Outcome

        init<T: Decodable & SendableMetatype>(_ type: T.Type) {
            testDescription = "\(type)"
            outcome = { side, place, value in
                let data = Data(place.document(value).utf8)
                return Outcome {
                    switch place {
                    case .whole: try side.decode(T.self, from: data)
                    case .element: try side.decode(Second<T>.self, from: data).value
                    case .member: try side.decode(Reached<T>.self, from: data).value
                    case .deep: try side.decode([[String: [T]]].self, from: data)
                    }
                }
            }
        }
    }

    static let kinds: [Kind] =
        [
            Kind(Bool.self), Kind(Int.self), Kind(Int8.self), Kind(Int16.self), Kind(Int32.self), Kind(Int64.self),
            Kind(UInt.self), Kind(UInt8.self), Kind(UInt16.self), Kind(UInt32.self), Kind(UInt64.self),
            Kind(Float.self),
            Kind(Double.self), Kind(String.self), Kind(Decimal.self), Kind(Date.self), Kind(Data.self), Kind(URL.self),
            Kind(UUID.self), Kind([Int].self), Kind([String].self), Kind([Int?].self), Kind(Set<Int>.self),
            Kind([String: Int].self), Kind([Int: Int].self), Kind([UUID: Int].self), Kind([[Int]].self),
            Kind(CGFloat.self),
            Kind(EnumProbes.Colour.self), Kind(EnumProbes.Level.self), Kind(EnumProbes.Shape.self),
            Kind(EnumProbes.Union.self), Kind(EnumProbes.A.self), Kind(OptionalProbes.OptionalHolder<Int>.self),
            Kind(Range<Int>.self), Kind(AnyJSON.self), Kind(Empty.self), Kind(CGPoint.self),
        ] + optionals + wide

    static let optionals: [Kind] = [
        Kind(Bool?.self), Kind(Int?.self), Kind(Int8?.self), Kind(UInt64?.self), Kind(Float?.self), Kind(Double?.self),
        Kind(String?.self), Kind(Decimal?.self), Kind(Date?.self), Kind(Data?.self), Kind(URL?.self), Kind(UUID?.self),
        Kind([Int]?.self), Kind([String: Int]?.self), Kind(EnumProbes.A?.self), Kind(Int??.self),
    ]

    static var wide: [Kind] {
        var kinds: [Kind] = []
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            kinds += [Kind(Int128.self), Kind(UInt128.self)]
        }
        #if !(os(macOS) && arch(x86_64))
            kinds.append(Kind(Float16.self))
        #endif
        return kinds
    }

    struct Empty: Decodable {}

    @Test(
        "Decoding any JSON value as any Swift type matches Foundation's decoder",
        arguments: Thoroughness.some(kinds, oneIn: 4)
    )
    func agree(kind: Kind) {
        for place in Place.allCases {
            for value in Self.values {
                let foundations = kind.outcome(.foundation, place, value)
                let expected = DeliberateDifferences.expected(
                    value,
                    as: kind.testDescription,
                    at: place.path,
                    foundations
                )
                #expect(
                    kind.outcome(.waybill, place, value) == expected,
                    "\(value) as \(kind.testDescription) at <\(place.path)>"
                )
            }
        }
    }
}
