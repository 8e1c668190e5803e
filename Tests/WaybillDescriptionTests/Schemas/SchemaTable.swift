import Foundation
import Testing
import Waybill

/// A type and its expected schema.
struct SchemaTable: Sendable, CustomTestStringConvertible {
    let type: any (Decodable & SendableMetatype).Type
    let expected: String

    init(_ type: any (Decodable & SendableMetatype).Type, _ expected: String) {
        self.type = type
        self.expected = expected
    }

    var testDescription: String { "\(type)" }

    /// All rows of the table.
    static var all: [SchemaTable] { scalars + synthesized + enums + initializers }
}

extension SchemaTable {
    /// Scalars and collections of the standard library and Foundation.
    static let scalars: [SchemaTable] = [
        SchemaTable(
            [Order].self,
            #"""
            {"$defs": {"Money": {"type": "object", "properties": {"amount": {"type": "number"}, "currency":
            {"$ref": "#/$defs/Money.Currency"}}, "required": ["amount", "currency"]}, "Money.Currency": {
            "type": "string", "enum": ["EUR", "USD"]}, "Order": {"type": "object", "properties": {"id": {
            "type": "string", "format": "uuid"}, "lines": {"type": "array", "items": {"$ref":
            "#/$defs/Order.Line"}}, "placed": {"type": ["string", "null"], "format": "date-time"}, "total":
            {"$ref": "#/$defs/Money"}}, "required": ["id", "lines", "total"]}, "Order.Line": {"type":
            "object", "properties": {"count": {"type": "integer", "format": "uint64", "minimum": 0},
            "product": {"type": "integer"}}, "required": ["product", "count"]}}, "type": "array", "items": {
            "$ref": "#/$defs/Order"}}
            """#
        ),
        SchemaTable(
            (Int?).self,
            #"""
            {"type": ["integer", "null"]}
            """#
        ),
        SchemaTable(
            [String: Plain].self,
            #"""
            {"$defs": {"Plain": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {
            "type": "string"}}, "required": ["id", "name"]}}, "type": "object", "additionalProperties": {
            "$ref": "#/$defs/Plain"}}
            """#
        ),
        SchemaTable(
            String.self,
            #"""
            {"type": "string"}
            """#
        ),
        SchemaTable(
            Bool.self,
            #"""
            {"type": "boolean"}
            """#
        ),
        SchemaTable(
            Double.self,
            #"""
            {"type": "number", "format": "double"}
            """#
        ),
        SchemaTable(
            Date.self,
            #"""
            {"type": "string", "format": "date-time"}
            """#
        ),
        SchemaTable(
            Data.self,
            #"""
            {"type": "string", "contentEncoding": "base64"}
            """#
        ),
        SchemaTable(
            UUID.self,
            #"""
            {"type": "string", "format": "uuid"}
            """#
        ),
        SchemaTable(
            URL.self,
            #"""
            {"type": "string", "format": "uri-reference"}
            """#
        ),
        SchemaTable(
            Decimal.self,
            #"""
            {"type": "number"}
            """#
        ),
        SchemaTable(
            ([Int]?).self,
            #"""
            {"type": ["array", "null"], "items": {"type": "integer"}}
            """#
        ),
        SchemaTable(
            ClosedRange<Int>.self,
            #"""
            {"type": "array", "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "integer"}]}
            """#
        ),
        SchemaTable(
            Problem.Details.self,
            #"""
            {"type": "object", "properties": {"type": {"type": "string", "format": "uri-reference"},
            "detail": {"type": "string"}, "instance": {"type": "string", "format": "uri-reference"},
            "status": {"type": "integer"}, "title": {"type": "string"}}}
            """#
        ),
        SchemaTable(
            JSONValue.self,
            #"""
            {}
            """#
        ),
    ]
}

extension SchemaTable {
    /// Enums and unions.
    static let enums: [SchemaTable] = [
        SchemaTable(
            Direction.self,
            #"""
            {"$ref": "#/$defs/Direction", "$defs": {"Direction": {"type": "string", "enum": ["north",
            "south"]}}}
            """#
        ),
        SchemaTable(
            Level.self,
            #"""
            {"$ref": "#/$defs/Level", "$defs": {"Level": {"type": "integer", "enum": [1, 10]}}}
            """#
        ),
        SchemaTable(
            Listed.self,
            #"""
            {"$ref": "#/$defs/Listed", "$defs": {"Listed": {"type": "string", "enum": ["ONE", "TWO"]}}}
            """#
        ),
        SchemaTable(
            Open.self,
            #"""
            {"$ref": "#/$defs/Open", "$defs": {"Open": {"type": "string", "$comment":
            "Inferred: the type also decodes unlisted values.", "examples": ["active", "closed",
            "unknown"]}}}
            """#
        ),
        SchemaTable(
            Payload.self,
            #"""
            {"$ref": "#/$defs/Payload", "$defs": {"Payload": {"oneOf": [{"type": "object", "properties": {
            "text": {"type": "object", "properties": {"_0": {"type": "string"}}, "required": ["_0"]}},
            "required": ["text"]}, {"type": "object", "properties": {"size": {"type": "object",
            "properties": {"height": {"type": "integer"}, "width": {"type": "integer"}}, "required": [
            "width", "height"]}}, "required": ["size"]}, {"type": "object", "properties": {"empty": {"type":
            "object"}}, "required": ["empty"]}]}}}
            """#
        ),
        SchemaTable(
            Single.self,
            #"""
            {"$ref": "#/$defs/Single", "$defs": {"Single": {"type": "string", "enum": ["only"]}}}
            """#
        ),
        SchemaTable(
            UsesEnums.self,
            #"""
            {"$ref": "#/$defs/UsesEnums", "$defs": {"Direction": {"type": "string", "enum": ["north",
            "south"]}, "Level": {"type": "integer", "enum": [1, 10]}, "Listed": {"type": "string", "enum": [
            "ONE", "TWO"]}, "UsesEnums": {"type": "object", "properties": {"all": {"type": "array", "items":
            {"$ref": "#/$defs/Listed"}}, "direction": {"$ref": "#/$defs/Direction"}, "level": {"anyOf": [{
            "$ref": "#/$defs/Level"}, {"type": "null"}]}}, "required": ["direction", "all"]}}}
            """#
        ),
        SchemaTable(
            Expression.self,
            #"""
            {"$ref": "#/$defs/Expression", "$defs": {"Expression": {"oneOf": [{"type": "object",
            "properties": {"number": {"type": "object", "properties": {"_0": {"type": "number", "format":
            "double"}}, "required": ["_0"]}}, "required": ["number"]}, {"type": "object", "properties": {
            "sum": {"type": "object", "properties": {"_0": {"$ref": "#/$defs/Expression"}, "_1": {"$ref":
            "#/$defs/Expression"}}, "required": ["_0", "_1"]}}, "required": ["sum"]}]}}}
            """#
        ),
        SchemaTable(
            TextOrNumber.self,
            #"""
            {"anyOf": [{"type": "integer"}, {"type": "string"}]}
            """#
        ),
        SchemaTable(
            UsesUnion.self,
            #"""
            {"$ref": "#/$defs/UsesUnion", "$defs": {"UsesUnion": {"type": "object", "properties": {"id": {
            "anyOf": [{"type": "integer"}, {"type": "string"}]}}, "required": ["id"]}}}
            """#
        ),
        SchemaTable(
            Figure.self,
            #"""
            {"$ref": "#/$defs/Figure", "$defs": {"Figure": {"oneOf": [{"type": "object", "properties": {
            "type": {"type": "string", "enum": ["circle"]}, "radius": {"type": "number", "format": "double"}
            }, "required": ["type", "radius"]}, {"type": "object", "properties": {"type": {"type": "string",
            "enum": ["square"]}, "side": {"type": "integer"}}, "required": ["type", "side"]}]},
            "Figure.Kind": {"type": "string", "enum": ["circle", "square"]}}}
            """#
        ),
    ]
}
