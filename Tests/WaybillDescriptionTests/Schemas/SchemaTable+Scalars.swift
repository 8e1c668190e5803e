import Foundation
import Waybill

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
