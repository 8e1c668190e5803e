import CallSupport
import Foundation
import Testing
import WaybillJSON

@testable import Waybill

/// Renders a tree as one line: objects in braces, dictionaries in braces after `#`, other leaves with their types.
func rendered(_ value: EncodedValue) -> String {
    func joined(_ members: [EncodedValue.Member]) -> String {
        members.map { "\($0.key):\(rendered($0.value))" }.joined(separator: ",")
    }
    switch value {
    case .object(let members): return "{\(joined(members))}"
    case .dictionary(let members): return "#{\(joined(members))}"
    case .array(let elements): return "[\(elements.map(rendered).joined(separator: ","))]"
    case .null: return "null"
    case .leaf(let value as String): return "\"\(value)\""
    case .leaf(let value as Int): return "\(value)"
    case .leaf(let value as Decimal): return "Decimal(\(value))"
    case .leaf(let value): return "\(type(of: value))(\(value))"
    }
}

@Suite("Value encoder")
struct ValueEncoderTests {
    static func encoded(_ value: some Encodable, nils: ValueEncoder.Nils = .omitted) throws -> String {
        try rendered(ValueEncoder(nils: nils).encode(value))
    }

    /// A value that encodes itself with a closure.
    struct Custom: Encodable {
        var encode: (any Encoder) throws -> Void
        init(_ encode: @escaping (any Encoder) throws -> Void) { self.encode = encode }
        func encode(to encoder: any Encoder) throws { try encode(encoder) }
    }

    enum Key: String, CodingKey { case a, b, c }

    // MARK: Structure

    struct Product: Encodable {
        var zebra = 1
        var name: String? = "Lamp"
        var apple: [Int?] = [1, nil]
        var nested = Nested()
        var absent: String?

        struct Nested: Encodable {
            var y = true
            var x = 2
        }
    }

    @Test("The value encoder preserves the order of members")
    func order() throws {
        #expect(
            try Self.encoded(Product()) == "{zebra:1,name:\"Lamp\",apple:[1,null],nested:{y:Bool(true),x:2}}"
        )
    }

    @Test("The value encoder leaves leaf values unchanged")
    func leaves() throws {
        struct Leaves: Encodable {
            var bool = true
            var int8 = Int8(-1)
            var uint64 = UInt64.max
            var double = 0.5
            var float = Float(0.25)
            var date = Date(timeIntervalSinceReferenceDate: 0)
            var decimal = Decimal(3)
            var data = Data([1, 2])
            var url = URL(filePath: "/x")
            var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        }
        #expect(
            try Self.encoded(Leaves())
                == "{bool:Bool(true),int8:Int8(-1),uint64:UInt64(18446744073709551615),double:Double(0.5),"
                + "float:Float(0.25),date:Date(2001-01-01 00:00:00 +0000),decimal:Decimal(3),data:Data(2 bytes),"
                + "url:URL(file:///x),uuid:UUID(00000000-0000-0000-0000-000000000001)}"
        )
        #expect(try Self.encoded("x") == "\"x\"")
        #expect(try Self.encoded(Int?.none) == "null")
        #expect(try Self.encoded(Int?.some(1)) == "1")
    }

    @Test("The value encoder preserves 128-bit integers in every kind of container")
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func wideIntegers() throws {
        struct Wide: Encodable {
            var a: Int128 = -1
            var b: UInt128 = 1
            var c: [Int128] = [2]
            var d: [UInt128] = [3]
            var e: Int128?
            var f: UInt128?
        }
        #expect(
            try Self.encoded(Wide(), nils: .null)
                == "{a:Int128(-1),b:UInt128(1),c:[Int128(2)],d:[UInt128(3)],e:null,f:null}"
        )
        let single = Custom { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Int128(7))
        }
        #expect(try Self.encoded([single]) == "[Int128(7)]")
    }

    @Test("The value encoder encodes enumerations, raw values and optionals as Swift does")
    func enumerations() throws {
        enum Shape: Encodable {
            case circle(radius: Int)
            case pair(Int, String)
            case none
        }
        enum Color: String, Encodable { case red }
        #expect(
            try Self.encoded([Shape.circle(radius: 1), .pair(2, "x"), .none])
                == "[{circle:{radius:1}},{pair:{_0:2,_1:\"x\"}},{none:{}}]"
        )
        #expect(try Self.encoded([Color.red]) == "[\"red\"]")
        #expect(try Self.encoded(["k": Color?.none]) == "#{k:null}")
    }

    class Base: Encodable {
        var a = 1
        enum CodingKeys: CodingKey { case a }
    }

    final class Derived: Base {
        var b = 2
        enum CodingKeys: CodingKey { case b, above }
        let way: Int

        init(way: Int) { self.way = way }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(b, forKey: .b)
            switch way {
            case 0: try super.encode(to: container.superEncoder())
            case 1: try super.encode(to: container.superEncoder(forKey: .above))
            default: try super.encode(to: encoder)
            }
        }
    }

    @Test("The value encoder encodes a superclass under a key or into the same object")
    func classes() throws {
        #expect(try Self.encoded(Derived(way: 0)) == "{b:2,super:{a:1}}")
        #expect(try Self.encoded(Derived(way: 1)) == "{b:2,above:{a:1}}")
        #expect(try Self.encoded(Derived(way: 2)) == "{b:2,a:1}")
    }

    @Test("The value encoder keeps nested containers and super encoders at the positions where they were requested")
    func nestedContainers() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            var array = object.nestedUnkeyedContainer(forKey: .b)
            var inner = array.nestedContainer(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            try inner.encode(2, forKey: .c)
            var innermost = array.nestedUnkeyedContainer()
            try innermost.encode(3)
            try innermost.encodeNil()
            #expect(innermost.count == 2 && array.count == 2)
            try 4.encode(to: array.superEncoder())
            _ = array.superEncoder()
            var again = object.nestedUnkeyedContainer(forKey: .b)
            try again.encode(5)
        }
        #expect(try Self.encoded(value) == "{b:[{c:2},[3,null],4,{},5],a:1}")
    }

    @Test("The value encoder keeps the last value of a repeated key at the position of the first")
    func sameKeyTwice() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            try object.encode(2, forKey: .b)
            try object.encode("last", forKey: .a)
            try object.encodeNil(forKey: .c)
            var nested = object.nestedContainer(keyedBy: Key.self, forKey: .c)
            try nested.encode(3, forKey: .a)
        }
        #expect(try Self.encoded(value) == "{a:\"last\",b:2,c:{a:3}}")
    }

    @Test("The value encoder produces an empty object for a type that encodes nothing")
    func nothing() throws {
        struct Empty: Encodable {}
        #expect(try Self.encoded(Empty()) == "{}")
        #expect(try Self.encoded(Custom { _ in }) == "{}")
        #expect(try Self.encoded([Custom { _ = $0.singleValueContainer() }]) == "[{}]")
        #expect(try Self.encoded([Int]()) == "[]")
        #expect(try Self.encoded([String: Int]()) == "#{}")
    }

    // MARK: Dictionaries

    @Test("The value encoder sorts a dictionary's members, integer keys by value")
    func dictionaries() throws {
        enum Size: String, Encodable, CodingKeyRepresentable { case small, medium, large }
        struct Wrapper: Encodable {
            var values: [String: Int]
            func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
        }
        #expect(try Self.encoded(["b": 1, "a": 2, "C": 3]) == "#{C:3,a:2,b:1}")
        #expect(try Self.encoded([10: 1, 9: 2, -1: 3]) == "#{-1:3,9:2,10:1}")
        #expect(try Self.encoded(["10": 1, "9": 2, "x": 3, "09": 4]) == "#{09:4,9:2,10:1,x:3}")
        #expect(try Self.encoded([Size.small: 1, .medium: 2, .large: 3]) == "#{large:3,medium:2,small:1}")
        #expect(try Self.encoded(Wrapper(values: ["b": 1, "a": 2])) == "#{a:2,b:1}")
        #expect(try Self.encoded(["z": ["b": [1], "a": []]]) == "#{z:#{a:[],b:[1]}}")
        #expect(try Self.encoded(["b": nil, "a": 1] as JSONValue) == "#{a:1,b:null}")
    }

    @Test("The value encoder preserves the order of keys created at run time")
    func dynamicKeys() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: EncodedValue.Key.self)
            try object.encode(1, forKey: .init(stringValue: "z"))
            try object.encode(2, forKey: .init(stringValue: "a"))
        }
        #expect(try Self.encoded(value) == "{z:1,a:2}")
    }

    // MARK: Nil

    struct Optionals: Encodable {
        var bool: Bool?
        var string: String?
        var double: Double?
        var float: Float?
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?
        var date: Date?
        var array: [Int]?
        var nested: Product.Nested?
        var present: Int? = 1
    }

    @Test("The value encoder omits nil or writes null for every property type")
    func nils() throws {
        #expect(try Self.encoded(Optionals()) == "{present:1}")
        let names = Mirror(reflecting: Optionals()).children.compactMap(\.label).dropLast()
        #expect(
            try Self.encoded(Optionals(), nils: .null)
                == "{" + names.map { "\($0):null," }.joined() + "present:1}"
        )
        #expect(try Self.encoded([["a": Optionals()]]) == "[#{a:{present:1}}]")
    }

    @Test("The value encoder writes null for an explicitly encoded nil", arguments: [ValueEncoder.Nils.omitted, .null])
    func explicitNils(nils: ValueEncoder.Nils) throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(Int?.none, forKey: .a)
            try object.encodeNil(forKey: .b)
        }
        #expect(try Self.encoded(value, nils: nils) == "{a:null,b:null}")
    }

    @Test("The value encoder writes null members in the order of their properties")
    func someWithNull() throws {
        struct Patch: Encodable {
            var a: String? = "x"
            var b: Int?
            var c: Int? = 3
        }
        #expect(try Self.encoded(Patch(), nils: .null) == "{a:\"x\",b:null,c:3}")
    }

    // MARK: Errors

    static func error(_ value: some Encodable) -> String {
        do {
            return try "no error: " + encoded(value)
        } catch EncodingError.invalidValue(_, let context) {
            return CodingPathText.text(of: context.codingPath) + ": " + context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test("The value encoder throws if a value requests two kinds of container or encodes two single values")
    func contradictions() {
        #expect(
            Self.error(
                ["k": Custom { _ = ($0.container(keyedBy: Key.self), $0.unkeyedContainer()) }]
            ) == "k: The value asked for an unkeyed container after it had encoded something else."
        )
        #expect(
            Self.error(
                Custom { encoder in
                    var array = encoder.unkeyedContainer()
                    var object = encoder.container(keyedBy: Key.self)
                    try object.encode(1, forKey: .a)
                    try array.encode(2)
                }
            ) == ": The value asked for a keyed container after it had encoded something else."
        )
        #expect(
            Self.error([
                Custom { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try container.encodeNil()
                }
            ]) == "[0]: A single value was encoded after something else had been."
        )
        #expect(
            Self.error(
                Custom { encoder in
                    _ = encoder.unkeyedContainer()
                    var container = encoder.singleValueContainer()
                    try container.encode("x")
                }
            ) == ": A single value was encoded after something else had been."
        )
    }

    @Test("The value encoder accepts another single value after one that failed")
    func secondTry() throws {
        struct Failure: Error {}
        let value = Custom { encoder in
            var container = encoder.singleValueContainer()
            try? container.encode(
                Custom { encoder in
                    var object = encoder.container(keyedBy: Key.self)
                    try object.encode(1, forKey: .a)
                    throw Failure()
                }
            )
            try container.encode("second")
        }
        #expect(try Self.encoded([value]) == "[\"second\"]")
    }

    final class Node: Encodable {
        var next: Node?
    }

    @Test("The value encoder throws for a value that contains itself")
    func cycle() {
        let node = Node()
        node.next = node
        #expect(Self.error(node).hasSuffix(": The value is nested more than 512 levels deep; does it contain itself?"))

        func selfish(_ encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Custom(selfish))
        }
        #expect(Self.error(Custom(selfish)).hasPrefix(": The value is nested more than 512 levels deep"))

        let endless = Custom { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<10_000 { container = container.nestedUnkeyedContainer() }
        }
        #expect(Self.error(endless).hasSuffix("512 levels deep; does it contain itself?"))
    }

    @Test("The value encoder rethrows a value's error unchanged")
    func ownError() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try ValueEncoder().encode(["k": Custom { _ in throw Failure() }]) }
    }

    @Test("The value encoder passes on the coding path and the user info")
    func context() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        let value = [
            "k": [
                Custom { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(
                        "\(CodingPathText.text(of: encoder.codingPath)) \(encoder.userInfo[key] as? String ?? "")"
                    )
                }
            ]
        ]
        #expect(try rendered(ValueEncoder(userInfo: [key: "info"]).encode(value)) == "#{k:[\"k[0] info\"]}")
    }

    // MARK: Encoding again

    @Test("A tree from the value encoder encodes like the original value, with strategies applied")
    func encodingAgain() throws {
        struct Order: Encodable {
            var placedOn = Date(timeIntervalSince1970: 0)
            var totalPrice = Decimal(3)
            var rawBytes = Data([1])
            var someNotes = ["firstKey": [1: "x"]]
            var noValue: Int?
            var someURL = URL(filePath: "/x")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        let order = Order()
        #expect(try json(ValueEncoder().encode(order)) == json(order))
        #expect(
            try json(ValueEncoder(nils: .null).encode(order))
                == #"{"no_value":null,"placed_on":"1970-01-01T00:00:00Z","raw_bytes":"AQ==","#
                + #""some_notes":{"firstKey":{"1":"x"}},"some_url":"file:///x","total_price":3}"#
        )
        #expect(try json(ValueEncoder().encode([1, nil])) == "[1,null]")
        #expect(
            try rendered(ValueEncoder().encode(ValueEncoder(nils: .null).encode(Product())))
                == Self.encoded(Product(), nils: .null)
        )
    }
}
