import Foundation
import TestSupport
import Testing
import WaybillJSON

@Suite("Encoding random values")
struct EncodingFuzzTests {

    @Test("A random Double is encoded as its description without a trailing .0")
    func doubles() throws {
        var generator = SplitMix64(seed: 11)
        for index in 0..<Thoroughness.repetitions(300_000, otherwise: 20_000) {
            let bits = generator.next()
            let value: Double =
                switch index % 5 {
                case 0: Double(bitPattern: bits)
                // These are prices, coordinates, and numbers near a power of two.
                case 1: Double(Int64(truncatingIfNeeded: bits) % 10_000_000) / 100
                case 2: Double(Int64(truncatingIfNeeded: bits) % 360_000_000_000_000) / 1e12
                case 3: Double(Int64(truncatingIfNeeded: bits) >> Int64(bits & 63)) / 1000
                default:
                    (0..<(bits % 3)).reduce(Double(sign: .plus, exponent: Int(bits >> 8 % 2000) - 1000, significand: 1))
                    {
                        value,
                        _ in value.nextUp
                    }
                }
            guard value.isFinite else { continue }
            let text = try WaybillJSONEncoder().text(of: value)
            if text != Self.expected(value.description) || Double(text)?.bitPattern != value.bitPattern {
                Issue.record("\(text) for \(value)")
            }
        }
    }

    @Test("A random integer with any number of digits is encoded as its description")
    func integers() throws {
        var generator = SplitMix64(seed: 16)
        var power: UInt64 = 1
        for count in 1...20 {
            for _ in 0..<Thoroughness.repetitions(20_000, otherwise: 200) {
                let highest = count == 20 ? UInt64.max : power * 10 - 1
                let numbers = [power, highest, .random(in: power...highest, using: &generator)]
                let text = try WaybillJSONEncoder().text(of: numbers)
                if text != "[\(numbers.map(\.description).joined(separator: ","))]" { Issue.record("\(text)") }
            }
            if count < 20 { power *= 10 }
        }
    }

    @Test("A random Float is encoded as its description without a trailing .0")
    func floats() throws {
        var generator = SplitMix64(seed: 12)
        for _ in 0..<Thoroughness.repetitions(300_000, otherwise: 20_000) {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
            guard value.isFinite else { continue }
            let text = try WaybillJSONEncoder().text(of: value)
            if text != Self.expected(value.description) || Float(text)?.bitPattern != value.bitPattern {
                Issue.record("\(text) for \(value)")
            }
        }
    }

    private static func expected(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    @Test("A random JSON value survives encoding and decoding, and Foundation decodes the same value")
    func jsonValues() throws {
        var generator = SplitMix64(seed: 13)
        for index in 0..<Thoroughness.repetitions(5000, otherwise: 150) {
            let value = JSONValue.random(depth: 5, using: &generator)
            let encoder = WaybillJSONEncoder {
                $0.outputFormatting = WaybillJSONEncoder.OutputFormatting(
                    rawValue: UInt([0, 1, 2, 3, 8, 11][index % 6])
                )
            }
            let data = try encoder.encode(value)
            #expect(try WaybillJSONDecoder().decode(JSONValue.self, from: data) == value)
            #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }
            // Encoding the same value again yields the same bytes.
            #expect(try encoder.encode(value) == data)
            // Reencoded in compact form, it equals the text without sorting or indentation.
            if index % 6 == 3 { #expect(try Self.compact(data, encoder) == WaybillJSONEncoder().encode(value)) }
        }
    }

    /// Returns a document without indentation; the members are sorted in any case.
    private static func compact(_ data: Data, _ encoder: WaybillJSONEncoder) throws -> Data {
        try WaybillJSONEncoder().encode(WaybillJSONDecoder().decode(JSONValue.self, from: data))
    }

    @Test("A random model survives encoding and decoding, and with sorted keys its bytes match Foundation's")
    func models() throws {
        var generator = SplitMix64(seed: 14)
        let foundation = JSONEncoder()
        let settings: [WaybillJSONEncoder.OutputFormatting] = [.sortedKeys, [.sortedKeys, .prettyPrinted]]
        for index in 0..<Thoroughness.repetitions(5000, otherwise: 150) {
            let model = FuzzedModel(using: &generator, depth: 3)
            #expect(
                try WaybillJSONDecoder().decode(FuzzedModel.self, from: WaybillJSONEncoder().encode(model)) == model
            )
            let formatting = settings[index % 2]
            foundation.outputFormatting = JSONEncoder.OutputFormatting(rawValue: formatting.rawValue)
            let encoder = WaybillJSONEncoder { $0.outputFormatting = formatting }
            #expect(try encoder.text(of: model) == foundation.text(of: model))
        }
    }

    @Test("Containers used in a random order encode the same document as Foundation")
    func randomCalls() throws {
        var generator = SplitMix64(seed: 15)
        for _ in 0..<Thoroughness.repetitions(5000, otherwise: 150) {
            let calls = (0..<Int.random(in: 1...24, using: &generator)).map { _ in generator.next() }
            let value = RandomCalls(calls: calls)
            let text = try WaybillJSONEncoder { $0.outputFormatting = .sortedKeys }.text(of: value)
            let foundation = JSONEncoder()
            foundation.outputFormatting = .sortedKeys
            if try text != foundation.text(of: value) { Issue.record("\(calls): \(text)") }
        }
    }
}

extension JSONValue {
    /// Returns a random value with at most `depth` levels of containers.
    static func random(depth: Int, using generator: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2: .integer(Int(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
        case 3: JSONValue(Double.random(in: -1e6...1e6, using: &generator))
        case 4: JSONValue(Decimal(Int.random(in: -99_999...99_999, using: &generator)) / 100)
        case 5: .string(.random(using: &generator))
        case 6, 7:
            .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
            )
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
                        (String.random(using: &generator), random(depth: depth - 1, using: &generator))
                    },
                    uniquingKeysWith: { _, last in last }
                )
            )
        }
    }
}

extension String {
    /// Returns a random text with characters of many kinds.
    static func random(using generator: inout SplitMix64) -> String {
        let characters = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{1F}", "é", "\u{7F}", "日", "😀", "\u{2028}",
        ]
        let length = Int.random(in: 0..<24, using: &generator)
        let isPlain = Bool.random(using: &generator)
        return (0..<length).map { _ in
            isPlain ? "abcdefgh" : characters[Int.random(in: characters.indices, using: &generator)]
        }.joined()
    }
}

/// A model with members of many types.
struct FuzzedModel: Codable, Equatable {
    var flag: Bool
    var number: Int
    var small: Int8?
    var big: UInt64
    var ratio: Double
    var half: Float?
    var text: String
    var date: Date
    var bytes: Data
    var exact: Decimal
    var address: URL?
    var id: UUID
    var numbers: [Double]
    var texts: [String]
    var byName: [String: Int]
    var byNumber: [Int: String]
    var children: [FuzzedModel]
    var kind: Kind
    var any: JSONValue

    enum Kind: Codable, Equatable {
        case plain
        case named(String)
        case pair(Int, second: [Int])
    }

    init(using generator: inout SplitMix64, depth: Int) {
        flag = .random(using: &generator)
        number = .random(in: -1000...1000, using: &generator)
        small = Bool.random(using: &generator) ? .random(in: -128...127, using: &generator) : nil
        big = generator.next()
        ratio = .random(in: -1...1, using: &generator)
        half = Bool.random(using: &generator) ? .random(in: -1...1, using: &generator) : nil
        text = .random(using: &generator)
        date = Date(
            timeIntervalSinceReferenceDate: Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator))
        )
        bytes = Data(
            (0..<Int.random(in: 0..<20, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        )
        exact = Decimal(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1000
        address = Bool.random(using: &generator) ? URL(string: "https://example.com/\(number)?q=1") : nil
        let (high, low) = (generator.next(), generator.next())
        id = withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.load(as: uuid_t.self)) }
        numbers = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in .random(in: -180...180, using: &generator) }
        texts = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in .random(using: &generator) }
        byName = Dictionary(
            (0..<4).map { (String.random(using: &generator), $0) },
            uniquingKeysWith: { _, last in last }
        )
        byNumber = Dictionary(
            (0..<3).map { ($0 * 7, String.random(using: &generator)) },
            uniquingKeysWith: { _, last in last }
        )
        children =
            depth == 0
            ? []
            : (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
                FuzzedModel(using: &generator, depth: depth - 1)
            }
        kind = [.plain, .named("a/b"), .pair(1, second: [2, 3])][Int.random(in: 0..<3, using: &generator)]
        any = ["a": [1, "x", nil], "b": .integer(number)]
    }
}

/// A value that uses containers in an order determined by numbers, several of them at a time.
struct RandomCalls: Encodable {
    let calls: [UInt64]

    func encode(to encoder: any Encoder) throws {
        var objects = [encoder.container(keyedBy: AnyKey.self)]
        var arrays: [any UnkeyedEncodingContainer] = []
        var serial = 0
        for call in calls {
            serial += 1
            let key = AnyKey(stringValue: "k\(serial)")
            let object = Int(call >> 8) % objects.count
            let array = arrays.isEmpty ? nil : Int(call >> 16) % arrays.count
            switch call % 8 {
            case 0: try objects[object].encode(serial, forKey: key)
            case 1: objects.append(objects[object].nestedContainer(keyedBy: AnyKey.self, forKey: key))
            case 2: arrays.append(objects[object].nestedUnkeyedContainer(forKey: key))
            case 3: if let array { try arrays[array].encode("e\(serial)") }
            case 4: if let array { objects.append(arrays[array].nestedContainer(keyedBy: AnyKey.self)) }
            case 5: if let array { arrays.append(arrays[array].nestedUnkeyedContainer()) }
            // The key is repeated, so the value replaces an earlier one.
            case 6: try objects[object].encode([serial], forKey: "again")
            default: try objects[object].encode(RandomCalls(calls: [call >> 24, call >> 32]), forKey: key)
            }
        }
    }
}
