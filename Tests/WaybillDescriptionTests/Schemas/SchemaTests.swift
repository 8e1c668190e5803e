import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Schemas of types")
struct SchemaTests {
    @Test("A type has the schema of what its initializer asks for", arguments: SchemaTable.all)
    func table(_ row: SchemaTable) throws {
        var found = document(of: row.type).json.objectValue ?? [:]
        #expect(found.removeValue(forKey: "$schema") == "https://json-schema.org/draft/2020-12/schema")
        let expected = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(row.expected.utf8))
        #expect(JSONValue.object(found) == expected)
    }

    @Test("The schema of a type is the same text each time") func stable() {
        let texts = (0..<2).map { _ in SchemaTable.all.map { document(of: $0.type).json.description } }
        #expect(Set(texts).count == 1)
    }

    @Test("Types of one name have definitions of their own") func names() {
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
        "Dates, data and keys have the form that the decoder reads",
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
            if row.allowsComment { (found["$comment"], found["examples"]) = (nil, nil) }
            #expect(JSONValue.object(found) == date)
        }
        if let data = row.data { #expect(properties?["bytes"] == data) }
    }

    @Test("Keys are spelled as the document has them") func keys() {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let names = JSONSchema.Document(of: Words.self, decodedWith: decoder).definitions["Words"]?.json["required"]
        // No key in snake case becomes imageURL, so that the key itself is the only one.
        #expect(names == ["first_name", "imageURL", "x2_size"])
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            JSONSchema.Document(of: Words.self, decodedWith: foundation).definitions["Words"]?.json["required"] == names
        )
    }

    @Test("A key that no document can have says so") func impossibleKeys() {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .custom { _ in ConstantKey() }
        let property = JSONSchema.Document(of: Renamed.self, decodedWith: decoder).definitions["Renamed"]?
            .json["properties"]?["created_at"]
        #expect(property?["$comment"] == "Not learned: no key of a document is known that becomes created_at.")
    }

    @Test("The rules of a decoder that is not known are marked as unknown") func unknownDecoder() {
        struct Subject: Decodable { var at: Date }
        let schema = JSONSchema.Document(of: Subject.self, decodedWith: PropertyListDecoder())
        #expect(
            schema.definitions.values.first?.json["properties"]?["at"]?["$comment"]
                == "Not learned: the rules of PropertyListDecoder are not known."
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

private struct ConstantKey: CodingKey {
    let stringValue = "constant"
    var intValue: Int? { nil }

    init() {}

    init?(stringValue: String) { nil }

    init?(intValue: Int) { nil }
}
