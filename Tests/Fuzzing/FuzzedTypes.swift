import Foundation

/// Types of different shapes to decode, with keys that also occur in the seeds.
enum FuzzedTypes {
    struct Unread: Decodable {
        init(from decoder: any Decoder) {}
    }

    struct Item: Decodable, Equatable {
        let id: Int
        let name: String?
        let firstName: String?
        let tags: [String]?
        let ok: Bool?
        let a: Nested?
        let é: [Item]?
        let items: [Item]?
        let none: [String: Item]?
    }

    struct Nested: Decodable, Equatable {
        let b: [[Int8]]?
        let c: [String: UInt16?]?
        let x: Double?
        let y: Float?
    }

    enum Word: String, Decodable { case a, b, name, value }

    enum Payload: Decodable, Equatable {
        case a(id: Int)
        case b(String, [Int]?)
        case c
    }

    struct Enumerations: Decodable, Equatable {
        let word: Word?
        let words: [Word]?
        let a: Payload?
        let payload: Payload?
        let byWord: [String: Word]?

        enum CodingKeys: CodingKey { case word, words, a, payload, byWord }
    }

    struct Numbers: Decodable, Equatable {
        let a: [Decimal]?
        let b: UInt64?
        let c: Int128?
        let d: [UInt128?]?
        let x: Double?
        let y: [Float]?
    }

    struct Values: Decodable, Equatable {
        let a: Date?
        let at: [Date?]?
        let b: Data?
        let c: URL?
        let d: UUID?
        let e: Range<Int>?
        let f: [Int: String]?
        let g: Set<String>?
    }

    /// A class with a superclass that is decoded with `superDecoder()`.
    class Base: Decodable {
        let id: Int
    }

    final class Derived: Base, Equatable {
        let name: String?

        enum Keys: CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }

        static func == (left: Derived, right: Derived) -> Bool { left.id == right.id && left.name == right.name }
    }

    /// A value of any shape, decoded in the way that Waybill reads trees.
    struct Tree: Decodable {
        let value: AnyJSON
        /// Whether any object has a repeated key.
        let hasDuplicateKeys: Bool

        init(from decoder: any Decoder) throws {
            guard var reader = JSONTreeReader(decoder) else { fatalError("the decoder is another module's") }
            var hasDuplicateKeys = false
            value = try Self.read(&reader, &hasDuplicateKeys)
            self.hasDuplicateKeys = hasDuplicateKeys
        }

        private static func read(_ reader: inout JSONTreeReader, _ hasDuplicateKeys: inout Bool) throws -> AnyJSON {
            switch try reader.next() {
            case .null: return .null
            case .bool(let value): return .bool(value)
            case .integer(let value): return .number(Double(value))
            case .decimal(let value): return .number(NSDecimalNumber(decimal: value).doubleValue)
            case .double(let value): return .number(value)
            case .numeral(let text):
                // Containers reject a number out of the range of `Double`.
                guard let value = Double(text), value.isFinite else {
                    throw reader.rejection("the number is too large")
                }
                return .number(value)
            case .string(let value): return .string(value)
            case .array(let count):
                let elements = try (0..<count).map { _ in try read(&reader, &hasDuplicateKeys) }
                guard reader.leave() else { fatalError("an array has more elements than it said") }
                return .array(elements)
            case .object:
                var members: [String: AnyJSON] = [:]
                while !reader.leave() {
                    let key = try reader.nextKey()
                    let value = try read(&reader, &hasDuplicateKeys)
                    if members[key] == nil { members[key] = value } else { hasDuplicateKeys = true }
                }
                return .object(members)
            }
        }
    }
}
