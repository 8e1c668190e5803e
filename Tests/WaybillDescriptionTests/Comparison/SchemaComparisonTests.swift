import Foundation
import Testing
import Waybill
import WaybillTesting

@testable import WaybillDescription

@Suite("Comparing the schemas of types with those of documents")
struct SchemaComparisonTests {
    @Test("Keywords, alternatives and sibling keywords are compared together", arguments: Row.all)
    func keywords(_ row: Row) {
        #expect(row.differences == row.expected)
    }

    @Test("Nested alternatives are compared once per pair of schemas")
    func nestedAlternatives() throws {
        // Each definition references the next one at least twice: 41 schemas, and at least 2⁴⁰ paths.
        let depth = 40
        var schemas: [String: JSONValue] = ["S\(depth)": ["type": "object", "properties": ["end": ["type": "string"]]]]
        var types: [String: JSONSchema] = ["T\(depth)": .object(["end?": JSONSchema(.integer(format: nil))])]
        for level in 0..<depth {
            let next: JSONValue = ["$ref": .string("#/components/schemas/S\(level + 1)")]
            let part: JSONValue = ["type": "object", "properties": ["a": next, "b": next]]
            schemas["S\(level)"] = ["anyOf": [part, .object(part.objectValue ?? [:])]]
            let own = JSONSchema(.reference("T\(level + 1)"))
            types["T\(level)"] = .object(["a?": own, "b?": own])
        }
        for direction in [SchemaComparison.Direction.request, .response] {
            var comparison = try SchemaComparison(schemas, types, direction)
            let found = comparison.differences(
                JSONSchema(.reference("T0")),
                ["$ref": "#/components/schemas/S0"],
                at: "#"
            )
            #expect(comparison.comparisonCount < 4 * depth)
            #expect(found.map(\.place) == ["#/components/schemas/S\(depth)/properties/end"])
            #expect(found.allSatisfy { $0.severity == .error })
        }
    }

    @Test("A comparison with too many pairs or levels stops and reports it", arguments: [true, false])
    func bounds(isDeep: Bool) throws {
        var schemas: [String: JSONValue] = [:]
        var own = JSONSchema(.string(format: nil))
        var other: JSONValue = ["type": "string"]
        if isDeep {
            for _ in 0..<(2 * SchemaComparison.maximumDepth) {
                own = .object(["a": own])
                other = ["type": "object", "properties": ["a": other]]
            }
        } else {
            // Each alternative combines with those of all other lists: 4¹⁰ combinations.
            let lists = (0..<10).map { list -> JSONValue in
                ["anyOf": .array((0..<4).map { ["properties": .object(["p\(list)\($0)": ["type": "integer"]])] })]
            }
            schemas["S"] = ["type": "object", "allOf": .array(lists)]
            other = ["$ref": "#/components/schemas/S"]
            own = .object(["p00": own])
        }
        var comparison = try SchemaComparison(schemas, [:], .response)
        let found = comparison.differences(own, other, at: "#/x")
        #expect(comparison.comparisonCount <= SchemaComparison.maximumComparisons)
        let first = try #require(found.first)
        #expect(first.severity == .warning && first.place == "#/x")
        #expect(first.reason.contains("the rest is not compared"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let direction: SchemaComparison.Direction
        let own: JSONSchema
        let document: JSONValue
        let expected: [String]

        init(
            _ testDescription: String,
            _ direction: SchemaComparison.Direction,
            _ own: JSONSchema,
            _ document: JSONValue,
            _ expected: String...
        ) {
            self.testDescription = testDescription
            self.direction = direction
            // Top-level alternatives of a body depend on the request, so these schemas describe a member.
            self.own = .object(["v": own])
            self.document = ["type": "object", "required": ["v"], "properties": ["v": document]]
            self.expected = expected
        }

        var differences: [String] {
            guard var comparison = try? SchemaComparison(Self.schemas, [:], direction) else { return ["no document"] }
            return comparison.differences(own, document, at: "#").map { difference in
                "\(difference.severity.rawValue) \(difference.path): \(difference.reason)"
            }
        }

        private static let schemas: [String: JSONValue] = [
            "Named": ["type": "object", "required": ["name"], "properties": ["name": ["type": "string"]]],
            "Loop": ["allOf": [["$ref": "#/components/schemas/Loop"], ["type": "string"]]],
        ]

        private static let text = JSONSchema(.string(format: nil))
        private static let integer = JSONSchema(.integer(format: nil))
        private static let either: JSONValue = [
            "type": "object", "properties": ["a": ["type": "string"], "b": ["type": "string"]],
            "oneOf": [["required": ["a"]], ["required": ["b"]]],
        ]

        static let all = siblings + joined + values + types + members
        private static let required = "the type requires the member, but the document does not list it as required"

        private static let siblings = [
            Row(
                "either of two members is required, and both are optional",
                .response,
                .object(["a?": text, "b?": text]),
                either
            ),
            Row(
                "either of two members is required, and the type needs one",
                .response,
                .object(["a": text, "b?": text]),
                either,
                "warning v.a: \(required)"
            ),
            Row("either of two members is required, and one is sent", .request, .object(["a": text]), either),
            Row(
                "either of two members is required, and none is sent",
                .request,
                .object(["c": text]),
                either,
                "warning v.c: the document does not list the member",
                "error v.a: the document requires the member, but the client does not send it"
            ),
            Row(
                "a member beside alternatives has another type",
                .response,
                .object(["a": integer, "b?": text]),
                either,
                "error v.a: the client reads an integer, but the document specifies string"
            ),
            Row(
                "members of each alternative stand beside those of all",
                .response,
                .object(["id": integer, "bark?": text, "meow?": text]),
                [
                    "properties": ["id": ["type": "integer"]], "required": ["id"],
                    "anyOf": [
                        ["properties": ["bark": ["type": "string"]]], ["properties": ["meow": ["type": "string"]]],
                    ],
                ]
            ),
            Row(
                "a member that no alternative has",
                .response,
                .object(["id?": integer, "moo?": text]),
                ["anyOf": [["properties": ["id": ["type": "integer"]]], ["properties": ["id": ["type": "number"]]]]],
                "warning v.id: one of the document's alternatives does not match: "
                    + "the client reads an integer, but the document specifies number",
                "warning v.moo: the type reads the member, but the document does not list it"
            ),
            Row(
                "one of several alternatives does not match",
                .response,
                text,
                ["anyOf": [["type": "string"], ["$ref": "#/components/schemas/Named"]]],
                "warning v: one of the document's alternatives does not match: "
                    + "the client reads a string, but the document specifies object"
            ),
            Row(
                "no alternative matches",
                .response,
                JSONSchema(.boolean),
                ["anyOf": [["type": "string"], ["type": "integer"]]],
                "error v: the client reads a Boolean, but the document specifies string"
            ),
            Row(
                "each alternative fits a case",
                .response,
                JSONSchema(.oneOf([text, integer])),
                ["oneOf": [["type": "integer"], ["type": "string"]]]
            ),
            Row(
                "a case is sent that no alternative takes",
                .request,
                JSONSchema(.oneOf([text, integer])),
                ["oneOf": [["type": "boolean"], ["type": "string"]]],
                "error v: the client sends an integer, but the document specifies boolean"
            ),
        ]

        private static let joined = [
            Row(
                "parts of allOf restrict one member",
                .response,
                .object(["a": text]),
                [
                    "allOf": [
                        ["properties": ["a": ["type": ["string", "null"]]], "required": ["a"]],
                        ["properties": ["a": ["type": "string"]]],
                    ]
                ]
            ),
            Row(
                "a reference has siblings",
                .response,
                .object(["name": text, "age": integer]),
                [
                    "$ref": "#/components/schemas/Named", "required": ["age"],
                    "properties": ["age": ["type": "integer"]],
                ]
            ),
            Row("a reference to itself", .response, text, ["$ref": "#/components/schemas/Loop"]),
            Row(
                "an optional reference of version 3.0",
                .response,
                JSONSchema(.object([]), isNullable: false),
                ["nullable": true, "allOf": [["$ref": "#/components/schemas/Named"]]],
                "error v: the document allows null, but the type does not decode it",
                "information v.name: the client does not read the member"
            ),
        ]

        private static let values = [
            Row(
                "enum without a type",
                .response,
                integer,
                ["enum": ["a", "b"]],
                "error v: the client reads an integer, but the document specifies string"
            ),
            Row(
                "const without a type",
                .request,
                text,
                ["const": 7],
                "error v: the client sends a string, but the document specifies integer"
            ),
            Row(
                "enum without a type, with null",
                .response,
                text,
                ["enum": ["a", nil]],
                "error v: the document allows null, but the type does not decode it"
            ),
            Row(
                "const without a type, which the enum lacks",
                .response,
                JSONSchema(.enumeration(["a"], isOpen: false)),
                ["anyOf": [["const": "a"], ["const": "b"]]],
                "warning v: one of the document's alternatives does not match: "
                    + #"the document allows "b", which the enum lacks"#
            ),
            Row(
                "an enum restricted by a sibling",
                .response,
                JSONSchema(.enumeration(["a"], isOpen: false)),
                ["enum": ["a", "b"], "allOf": [["enum": ["a", "c"]]]]
            ),
        ]

        private static let types = [
            Row(
                "one of several types",
                .response,
                text,
                ["type": ["string", "integer"]],
                "warning v: one of the document's alternatives does not match: "
                    + "the client reads a string, but the document specifies integer"
            ),
            Row(
                "all of several types",
                .response,
                JSONSchema(.anyOf([text, integer])),
                ["type": ["string", "integer"]]
            ),
            Row("a number as text", .text, integer, ["type": "string"]),
            Row("one item for a list", .text, text, ["type": "array", "items": ["type": "string"]]),
            Row(
                "a text for numbers",
                .text,
                text,
                ["type": "array", "items": ["type": "integer"]],
                "error v: the client sends a string, but the document specifies integer"
            ),
            Row(
                "elements in their places",
                .response,
                JSONSchema(.tuple([text, text])),
                ["type": "array", "prefixItems": [["type": "string"], ["type": "integer"]]],
                "error v[1]: the client reads a string, but the document specifies integer"
            ),
            Row(
                "the members of an object as a dictionary",
                .response,
                JSONSchema(.dictionary(text, keys: nil)),
                ["properties": ["a": ["type": "string"], "b": ["type": "integer"]]],
                "error v.b: the client reads a string, but the document specifies integer"
            ),
        ]

        private static let members = [
            Row(
                "a misspelled member",
                .response,
                .object(["naem": text, "name?": text]),
                ["properties": ["name": ["type": "string"]]],
                "error v.naem: the type requires the member, but the document does not list it"
            ),
            Row(
                "a member of an open object",
                .response,
                .object(["a": text, "b?": text]),
                ["properties": ["c": ["type": "string", "writeOnly": true]], "additionalProperties": true],
                "warning v.a: the type requires the member, but the document does not list it"
            ),
            Row(
                "a member that only responses have",
                .request,
                .object(["a": text]),
                [
                    "required": ["a", "id"],
                    "properties": ["a": ["type": "string"], "id": ["type": "integer", "readOnly": true]],
                ]
            ),
            Row(
                "a member that the response may leave out, as it is merged",
                .partialResponse,
                .object(["a": integer, "b": text]),
                ["properties": ["a": ["type": "string"]]],
                "error v.a: the client reads an integer, but the document specifies string"
            ),
        ]
    }
}

extension SchemaComparison {
    fileprivate init(_ schemas: [String: JSONValue], _ types: [String: JSONSchema], _ direction: Direction) throws {
        let document = try OpenAPIDocument([
            "openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)],
        ])
        self.init(direction: direction, definitions: types, document: DocumentReader(document))
    }
}

extension JSONSchema {
    /// Returns the schema of an object; members whose names end in `?` are optional.
    fileprivate static func object(_ members: KeyValuePairs<String, JSONSchema>) -> JSONSchema {
        JSONSchema(
            .object(
                members.map { name, schema in
                    let isRequired = !name.hasSuffix("?")
                    return Property(isRequired ? name : String(name.dropLast()), schema, isRequired: isRequired)
                }
            )
        )
    }
}
