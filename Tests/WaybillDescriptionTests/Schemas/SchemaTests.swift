import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Schemas of types")
struct SchemaTests {
    @Test("A type has the schema of what its initializer decodes", arguments: SchemaTable.all)
    func table(_ row: SchemaTable) throws {
        var found = document(of: row.type).json.objectValue ?? [:]
        #expect(found.removeValue(forKey: "$schema") == "https://json-schema.org/draft/2020-12/schema")
        let expected = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(row.expected.utf8))
        #expect(JSONValue.object(found) == expected)
    }

    @Test("The schema of a type is always the same text") func stable() {
        let texts = (0..<2).map { _ in SchemaTable.all.map { document(of: $0.type).json.description } }
        #expect(Set(texts).count == 1)
    }

    @Test("Types with the same name have separate definitions") func names() {
        enum First {
            struct Item: Decodable { var a: Int }
        }
        enum Second {
            struct Item: Decodable { var b: Int }
        }
        struct Both: Decodable {
            var first: First.Item
            var second: Second.Item
        }
        let definitions = JSONSchema.Document(of: Both.self).definitions
        #expect(definitions.count == 3)
        #expect(definitions.keys.allSatisfy { !$0.contains("unknown context") })
    }

    @Test(
        "Dates and data have the format that the decoder reads",
        arguments: [
            DecoderRow("seconds", { $0.dateDecodingStrategy = .secondsSince1970 }, date: ["type": "number"]),
            DecoderRow("a date's own", { $0.dateDecodingStrategy = .deferredToDate }, date: ["type": "number"]),
            DecoderRow(
                "ISO 8601",
                { $0.dateDecodingStrategy = .iso8601 },
                date: ["type": "string", "format": "date-time"]
            ),
            DecoderRow(
                "a closure over numbers",
                { $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try Double(from: $0)) } },
                date: ["type": "number", "format": "double"]
            ),
            DecoderRow(
                "numbers in strings",
                { $0.dateDecodingStrategy = .secondsSince1970Text },
                date: ["anyOf": [["type": "number", "format": "double"], ["type": "string"]]],
                allowsComment: true
            ),
            DecoderRow(
                "dates that may lack a zone",
                { $0.dateDecodingStrategy = .iso8601(assuming: .gmt) },
                date: ["type": "string"],
                allowsComment: true
            ),
            DecoderRow(
                "bytes as numbers",
                { $0.dataDecodingStrategy = .deferredToData },
                data: ["type": "array", "items": ["type": "integer", "format": "uint8", "minimum": 0, "maximum": 255]]
            ),
        ]
    )
    func decoders(_ row: DecoderRow) throws {
        struct Subject: Decodable {
            var at: Date
            var bytes: Data
        }
        let schema = try #require(
            JSONSchema.Document(of: Subject.self, decodedWith: row.decoder).definitions.values.first
        )
        let properties = schema.json["properties"]
        if let date = row.date {
            var found = properties?["at"]?.objectValue ?? [:]
            if row.allowsComment {
                (found["$comment"], found["examples"]) = (nil, nil)
                // Other values accepted by the initializer are not part of the format.
                found["anyOf"] = found["anyOf"]?.arrayValue.map { schemas in
                    .array(
                        schemas.map { schema in
                            .object((schema.objectValue ?? [:]).filter { $0.key == "type" || $0.key == "format" })
                        }
                    )
                }
            }
            #expect(JSONValue.object(found) == date)
        }
        if let data = row.data { #expect(properties?["bytes"] == data) }
    }

    @Test("Keys are spelled as in the document") func keys() {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let names = JSONSchema.Document(of: Words.self, decodedWith: decoder).definitions["Words"]?.json["required"]
        // No snake-case key converts to imageURL, so imageURL itself is the only key.
        #expect(names == ["first_name", "imageURL", "x2_size"])
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            JSONSchema.Document(of: Words.self, decodedWith: foundation).definitions["Words"]?.json["required"] == names
        )
    }

    @Test(
        "The spelling of keys is inferred from a custom key function",
        arguments: [
            (KeyFunction.pascal, ["Id", "FirstName"]), (.kebab, ["id", "first-name"]),
            (.lower, ["id", "firstname", "url"]),
        ] as [(KeyFunction, [String])]
    )
    func customKeys(function: KeyFunction, names: [String]) {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .custom { TextKey(function.convert($0.last?.stringValue ?? "")) }
        let type: any Decodable.Type = function == .lower ? LowerPerson.self : Person.self
        func properties<Value: Decodable>(_ type: Value.Type) -> JSONValue? {
            JSONSchema.Document(of: type, decodedWith: decoder).definitions.values.first?.json["properties"]
        }
        let found = properties(type)
        #expect(found?.objectValue?.keys.sorted() == names.sorted())
        let isAmbiguous = found?[names[1]]?["$comment"]?.stringValue?.contains("other spellings") ?? false
        #expect(isAmbiguous == (function == .lower))
    }

    @Test("Two custom key functions produce separate schemas") func twoFunctions() throws {
        struct Both: DescribedAPI {
            let client = Client(URL(string: "https://keys.example") ?? URL(filePath: "/"))

            private func person(_ function: KeyFunction) -> Decode {
                Decode(keys: .custom { TextKey(function.convert($0.last?.stringValue ?? "")) })
            }

            var calls: APIDescription {
                endpoint(Person.self) {
                    GET("pascal")
                    person(.pascal)
                }
                endpoint(Person.self) {
                    GET("kebab")
                    person(.kebab)
                }
            }
        }
        let document = try Both().openAPI(title: "Keys", version: "1").json
        let schemas = document["components"]?["schemas"]?.objectValue ?? [:]
        #expect(schemas.count == 2)
        #expect(schemas.values.contains { $0["properties"]?["FirstName"] != nil })
        #expect(schemas.values.contains { $0["properties"]?["first-name"] != nil })
        #expect(try Both().compare(with: OpenAPIDocument(document)).map(\.description) == [])
    }

    @Test("All keys that an initializer tries in turn are found") func alternatives() {
        let schema = JSONSchema.Document(of: Notice.self).definitions["Notice"]?.json
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["errors", "message", "msg", "title"])
        #expect(schema?["required"] == ["title"])
        #expect(schema?["properties"]?["errors"]?["type"] == "array")
    }

    @Test("A sample value that selects a branch reveals the members of that branch") func sampledBranches() {
        let sample: JSONValue = ["kind": "circle", "radius": 1]
        let schema = JSONSchema.Document(of: Drawing.self, samples: [sample]).definitions["Drawing"]?.json
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["kind", "radius", "side"])
        #expect(schema?["required"] == ["kind"])
    }

    @Test("A key without a known document key is marked as not learned") func impossibleKeys() {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .custom { _ in ConstantKey() }
        let property = JSONSchema.Document(of: Renamed.self, decodedWith: decoder).definitions["Renamed"]?
            .json["properties"]?["created_at"]
        #expect(property?["$comment"] == "Not learned: no document key is known to convert to created_at.")
    }

    @Test("The conventions of an unknown decoder are marked as not learned") func unknownDecoder() {
        struct Subject: Decodable { var at: Date }
        let schema = JSONSchema.Document(of: Subject.self, decodedWith: PropertyListDecoder())
        #expect(
            schema.definitions.values.first?.json["properties"]?["at"]?["$comment"]
                == "Not learned: the conventions of PropertyListDecoder are unknown."
        )
    }

    private func document(of type: any Decodable.Type) -> JSONSchema.Document {
        func open<Value: Decodable>(_ type: Value.Type) -> JSONSchema.Document { JSONSchema.Document(of: type) }
        return open(type)
    }
}

struct DecoderRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let decoder: WaybillJSONDecoder
    let date: JSONValue?
    let data: JSONValue?
    let allowsComment: Bool

    init(
        _ name: String,
        _ change: (inout WaybillJSONDecoder) -> Void,
        date: JSONValue? = nil,
        data: JSONValue? = nil,
        allowsComment: Bool = false
    ) {
        testDescription = name
        var decoder = WaybillJSONDecoder()
        change(&decoder)
        self.decoder = decoder
        self.date = date
        self.data = data
        self.allowsComment = allowsComment
    }
}

/// A key conversion function.
enum KeyFunction: Sendable {
    case pascal, kebab, lower

    func convert(_ key: String) -> String {
        switch self {
        case .pascal: return key.prefix(1).lowercased() + key.dropFirst()
        case .lower: return key.lowercased()
        case .kebab:
            let words = key.split(separator: "-")
            return words.dropFirst().reduce(String(words.first ?? "")) { key, word in
                key + word.prefix(1).uppercased() + word.dropFirst()
            }
        }
    }
}

private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { nil }
}

private struct Person: ResponseContent {
    let id: Int
    let firstName: String
}

private struct LowerPerson: ResponseContent {
    let id: Int
    let firstname: String
    let url: String
}

/// A string under one of three keys.
private struct Notice: Decodable {
    struct Fault: Decodable { let message: String }

    let title: String
    let text: String

    private enum CodingKeys: CodingKey { case title, message, msg, errors }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        if let message = try? container.decode(String.self, forKey: .message) {
            text = message
        } else if let message = try? container.decode(String.self, forKey: .msg) {
            text = message
        } else {
            text = try container.decode([Fault].self, forKey: .errors).map(\.message).joined()
        }
    }
}

/// A drawing whose `kind` member selects the other members.
private struct Drawing: Decodable {
    private enum CodingKeys: CodingKey { case kind, radius, side }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if try container.decode(String.self, forKey: .kind) == "circle" {
            _ = try container.decode(Int.self, forKey: .radius)
        } else {
            _ = try container.decode(Int.self, forKey: .side)
        }
    }
}

private struct ConstantKey: CodingKey {
    let stringValue = "constant"
    var intValue: Int? { nil }

    init() {}

    init?(stringValue: String) { nil }

    init?(intValue: Int) { nil }
}
