import Foundation
import Waybill

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
            "Inferred: the type decodes values that are not listed too.", "examples": ["active", "closed",
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
