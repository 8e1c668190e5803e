import Foundation
import Waybill

// The types whose expected schemas are in `SchemaTable`.

struct Plain: Codable {
    var id: Int
    var name: String
}

struct Optionals: Codable {
    var absent: String?
    var present: String
}

struct ExplicitNull: Decodable {
    var value: Int?

    enum CodingKeys: CodingKey { case value }

    init(from decoder: any Decoder) throws {
        value = try decoder.container(keyedBy: CodingKeys.self).decode(Int?.self, forKey: .value)
    }
}

struct AsksForNil: Decodable {
    var value: Int?

    enum CodingKeys: CodingKey { case value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decodeNil(forKey: .value) ? nil : container.decode(Int.self, forKey: .value)
    }
}

struct Renamed: Codable {
    var created: Int

    enum CodingKeys: String, CodingKey { case created = "created_at" }
}

struct NeverAsked: Codable {
    let constant = 6
    var asked: Bool

    enum CodingKeys: CodingKey { case asked }
}

struct Words: Codable {
    var firstName: String
    var imageURL: URL
    var x2Size: Int
}

struct Lists: Codable {
    var tags: [String]
    var unique: Set<Int>
    var nested: [[Double]]
    var optional: [Int?]
}

struct Moments: Codable {
    var at: Date
    var bytes: Data
    var id: UUID
    var link: URL
    var price: Decimal
}

struct Widths: Codable {
    var small: Int8
    var byte: UInt8
    var wide: Int64
    var unsigned: UInt32
    var single: Float
    var flag: Bool
}

enum Direction: String, Codable { case north, south }

enum Level: Int, Codable { case low = 1, high = 10 }

enum Listed: String, Codable, CaseIterable { case one = "ONE", two = "TWO" }

/// An enum that decodes unknown values as one of its cases.
enum Open: String, Decodable {
    case active, closed, unknown

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Open(rawValue: text) ?? .unknown
    }
}

enum Payload: Codable {
    case text(String)
    case size(width: Int, height: Int)
    case empty
}

enum Single: String, Codable { case only }

struct UsesEnums: Codable {
    var direction: Direction
    var level: Level?
    var all: [Listed]
}

struct Dictionaries: Codable {
    var counts: [String: Int]
    var byNumber: [Int: String]
    var people: [String: Plain]
}

struct EnumKeys: Codable {
    var scores: [Direction: Int]
}

enum Representable: String, Codable, CodingKeyRepresentable { case left, right }

struct RepresentableKeys: Codable {
    var scores: [Representable: Bool]
}

struct Nested: Codable {
    var owner: Plain
    var inner: Inner

    struct Inner: Codable { var depth: Int }
}

final class Chain: Codable {
    var value: Int
    var next: Chain?
}

struct Branch: Codable {
    var name: String
    var children: [Branch]
}

struct Ping: Codable { var pong: [Pong] }

struct Pong: Codable { var ping: Ping? }

indirect enum Expression: Codable {
    case number(Double)
    case sum(Expression, Expression)
}

struct Wrapper<Value: Codable>: Codable { var value: Value }

struct Identifier: Codable {
    var text: String

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
}

struct HasIdentifier: Codable { var id: Identifier }

struct RawStruct: RawRepresentable, Codable { var rawValue: Int }

struct Defaults: Codable {
    var limit = 20
    var sort = "name"
    var tags: [String] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? 20
        sort = try container.decodeIfPresent(String.self, forKey: .sort) ?? "name"
        tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
    }
}

struct DefaultsOfDecodable: Decodable {
    var limit: Int

    enum CodingKeys: CodingKey { case limit }

    init(from decoder: any Decoder) throws {
        limit = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .limit) ?? 5
    }
}

struct Tolerant: Decodable {
    var count: Int

    enum CodingKeys: CodingKey { case count }

    init(from decoder: any Decoder) throws {
        count = (try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)) ?? 0
    }
}

enum TextOrNumber: Decodable {
    case text(String), number(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

struct UsesUnion: Decodable { var id: TextOrNumber }

struct Email: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.contains("@") else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "There is no @.")
        }
    }
}

struct Percentage: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(Int.self) >= 100 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is below 100.")
        }
    }
}

struct LeastPrice: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(Decimal.self) >= 100 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is below 100.")
        }
    }
}

struct Validated: Decodable {
    let email: Email
    let id: UUID
    let percentage: Percentage
}

struct Impossible: Decodable {
    enum CodingKeys: CodingKey { case secret }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .secret) == "open sesame" else {
            throw DecodingError.dataCorruptedError(
                forKey: .secret,
                in: container,
                debugDescription: "It is not the word."
            )
        }
    }
}

enum Figure: Decodable {
    case circle(Double), square(Int)

    enum CodingKeys: CodingKey { case type, radius, side }

    enum Kind: String, Decodable { case circle, square }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .circle: self = .circle(try container.decode(Double.self, forKey: .radius))
        case .square: self = .square(try container.decode(Int.self, forKey: .side))
        }
    }
}

struct Coordinates: Decodable {
    let latitude: Double
    let name: String

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        latitude = try container.decode(Double.self)
        name = try container.decode(String.self)
    }
}

struct Flattened: Decodable {
    let city: String
    let plain: Plain

    enum CodingKeys: CodingKey { case address }

    enum AddressKeys: CodingKey { case city }

    init(from decoder: any Decoder) throws {
        let address = try decoder.container(keyedBy: CodingKeys.self)
            .nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
        city = try address.decode(String.self, forKey: .city)
        plain = try Plain(from: decoder)
    }
}

class Animal: Codable { var legs = 4 }

final class Dog: Animal {
    let name: String

    enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        try super.init(from: decoder)
    }
}

final class Cat: Animal {
    let name: String

    enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }
}

struct Dynamic: Decodable {
    let values: [String: Int]

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var values: [String: Int] = [:]
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
        self.values = values
    }
}

struct Anything: Codable { var extra: JSONValue }

struct Nothing: Codable {}

struct ReadsNothing: Decodable {
    init(from decoder: any Decoder) throws {}
}

struct Endless: Decodable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while true { _ = try container.decode(Int.self) }
    }
}

struct Lossy: Decodable {
    let items: [Int]

    enum CodingKeys: CodingKey { case items }

    init(from decoder: any Decoder) throws {
        var container = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .items)
        var items: [Int] = []
        while !container.isAtEnd {
            if let item = try? container.decode(Int.self) {
                items.append(item)
            } else {
                _ = try container.decode(JSONValue.self)
            }
        }
        self.items = items
    }
}

struct ContainsAsked: Decodable {
    let isAdmin: Bool

    enum CodingKeys: CodingKey { case admin }

    init(from decoder: any Decoder) throws {
        isAdmin = try decoder.container(keyedBy: CodingKeys.self).contains(.admin)
    }
}

@propertyWrapper
struct Zero<Value: Codable & ExpressibleByIntegerLiteral>: Codable {
    var wrappedValue: Value

    init(from decoder: any Decoder) throws {
        wrappedValue = (try? decoder.singleValueContainer().decode(Value.self)) ?? 0
    }
}

struct Wrapped: Codable { @Zero var count: Int }

struct Money: Codable {
    var amount: Decimal
    var currency: Currency

    enum Currency: String, Codable { case eur = "EUR", usd = "USD" }
}

struct Order: Codable {
    var id: UUID
    var lines: [Line]
    var total: Money
    var placed: Date?

    struct Line: Codable {
        var product: Int
        var count: UInt
    }
}
