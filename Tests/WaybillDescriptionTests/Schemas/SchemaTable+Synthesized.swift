import Foundation
import Waybill

extension SchemaTable {
    /// Types with synthesized decoding.
    static let synthesized: [SchemaTable] = [
        SchemaTable(
            Plain.self,
            #"""
            {"$ref": "#/$defs/Plain", "$defs": {"Plain": {"type": "object", "properties": {"id": {"type":
            "integer"}, "name": {"type": "string"}}, "required": ["id", "name"]}}}
            """#
        ),
        SchemaTable(
            Optionals.self,
            #"""
            {"$ref": "#/$defs/Optionals", "$defs": {"Optionals": {"type": "object", "properties": {"absent":
            {"type": ["string", "null"]}, "present": {"type": "string"}}, "required": ["present"]}}}
            """#
        ),
        SchemaTable(
            Renamed.self,
            #"""
            {"$ref": "#/$defs/Renamed", "$defs": {"Renamed": {"type": "object", "properties": {"created_at":
            {"type": "integer"}}, "required": ["created_at"]}}}
            """#
        ),
        SchemaTable(
            NeverAsked.self,
            #"""
            {"$ref": "#/$defs/NeverAsked", "$defs": {"NeverAsked": {"type": "object", "properties": {
            "asked": {"type": "boolean"}}, "required": ["asked"]}}}
            """#
        ),
        SchemaTable(
            Words.self,
            #"""
            {"$ref": "#/$defs/Words", "$defs": {"Words": {"type": "object", "properties": {"firstName": {
            "type": "string"}, "imageURL": {"type": "string", "format": "uri-reference"}, "x2Size": {"type": "integer"
            }}, "required": ["firstName", "imageURL", "x2Size"]}}}
            """#
        ),
        SchemaTable(
            Lists.self,
            #"""
            {"$ref": "#/$defs/Lists", "$defs": {"Lists": {"type": "object", "properties": {"nested": {
            "type": "array", "items": {"type": "array", "items": {"type": "number", "format": "double"}}},
            "optional": {"type": "array", "items": {"type": ["integer", "null"]}}, "tags": {"type": "array",
            "items": {"type": "string"}}, "unique": {"type": "array", "items": {"type": "integer"},
            "uniqueItems": true}}, "required": ["tags", "unique", "nested", "optional"]}}}
            """#
        ),
        SchemaTable(
            Moments.self,
            #"""
            {"$ref": "#/$defs/Moments", "$defs": {"Moments": {"type": "object", "properties": {"at": {
            "type": "string", "format": "date-time"}, "bytes": {"type": "string", "contentEncoding":
            "base64"}, "id": {"type": "string", "format": "uuid"}, "link": {"type": "string", "format":
            "uri-reference"}, "price": {"type": "number"}}, "required": ["at", "bytes", "id", "link", "price"]}}}
            """#
        ),
        SchemaTable(
            Widths.self,
            #"""
            {"$ref": "#/$defs/Widths", "$defs": {"Widths": {"type": "object", "properties": {"byte": {
            "type": "integer", "format": "uint8", "maximum": 255, "minimum": 0}, "flag": {"type": "boolean"
            }, "single": {"type": "number", "format": "float"}, "small": {"type": "integer", "format":
            "int8", "maximum": 127, "minimum": -128}, "unsigned": {"type": "integer", "format": "uint32",
            "maximum": 4294967295, "minimum": 0}, "wide": {"type": "integer", "format": "int64"}},
            "required": ["small", "byte", "wide", "unsigned", "single", "flag"]}}}
            """#
        ),
        SchemaTable(
            Dictionaries.self,
            #"""
            {"$ref": "#/$defs/Dictionaries", "$defs": {"Dictionaries": {"type": "object", "properties": {
            "byNumber": {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {
            "type": "string", "examples": ["1"]}}, "counts": {"type": "object", "additionalProperties": {
            "type": "integer"}}, "people": {"type": "object", "additionalProperties": {"$ref":
            "#/$defs/Plain"}}}, "required": ["counts", "byNumber", "people"]}, "Plain": {"type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id", "name"
            ]}}}
            """#
        ),
        SchemaTable(
            EnumKeys.self,
            #"""
            {"$ref": "#/$defs/EnumKeys", "$defs": {"Direction": {"type": "string", "enum": ["north", "south"
            ]}, "EnumKeys": {"type": "object", "properties": {"scores": {"type": "array", "$comment":
            "Inferred: the keys and values of the dictionary alternate.", "examples": [["north", 1]], "items": {
            "anyOf": [{"$ref": "#/$defs/Direction"}, {"type": "integer"}]}}}, "required": ["scores"]}}}
            """#
        ),
        SchemaTable(
            RepresentableKeys.self,
            #"""
            {"$ref": "#/$defs/RepresentableKeys", "$defs": {"RepresentableKeys": {"type": "object",
            "properties": {"scores": {"type": "object", "additionalProperties": {"type": "boolean"},
            "propertyNames": {"type": "string", "enum": ["left", "right"]}}}, "required": ["scores"]}}}
            """#
        ),
        SchemaTable(
            Nested.self,
            #"""
            {"$ref": "#/$defs/Nested", "$defs": {"Nested": {"type": "object", "properties": {"inner": {
            "$ref": "#/$defs/Nested.Inner"}, "owner": {"$ref": "#/$defs/Plain"}}, "required": ["owner",
            "inner"]}, "Nested.Inner": {"type": "object", "properties": {"depth": {"type": "integer"}},
            "required": ["depth"]}, "Plain": {"type": "object", "properties": {"id": {"type": "integer"},
            "name": {"type": "string"}}, "required": ["id", "name"]}}}
            """#
        ),
        SchemaTable(
            Chain.self,
            #"""
            {"$ref": "#/$defs/Chain", "$defs": {"Chain": {"type": "object", "properties": {"next": {"anyOf":
            [{"$ref": "#/$defs/Chain"}, {"type": "null"}]}, "value": {"type": "integer"}}, "required": [
            "value"]}}}
            """#
        ),
        SchemaTable(
            Branch.self,
            #"""
            {"$ref": "#/$defs/Branch", "$defs": {"Branch": {"type": "object", "properties": {"children": {
            "type": "array", "items": {"$ref": "#/$defs/Branch"}}, "name": {"type": "string"}}, "required":
            ["name", "children"]}}}
            """#
        ),
        SchemaTable(
            Ping.self,
            #"""
            {"$ref": "#/$defs/Ping", "$defs": {"Ping": {"type": "object", "properties": {"pong": {"type":
            "array", "items": {"$ref": "#/$defs/Pong"}}}, "required": ["pong"]}, "Pong": {"type": "object",
            "properties": {"ping": {"anyOf": [{"$ref": "#/$defs/Ping"}, {"type": "null"}]}}}}}
            """#
        ),
        SchemaTable(
            Wrapper<Int>.self,
            #"""
            {"$ref": "#/$defs/Wrapper_Int", "$defs": {"Wrapper_Int": {"type": "object", "properties": {
            "value": {"type": "integer"}}, "required": ["value"]}}}
            """#
        ),
        SchemaTable(
            Wrapper<[Plain]>.self,
            #"""
            {"$ref": "#/$defs/Wrapper_Array_Plain", "$defs": {"Plain": {"type": "object", "properties": {
            "id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id", "name"]},
            "Wrapper_Array_Plain": {"type": "object", "properties": {"value": {"type": "array", "items": {
            "$ref": "#/$defs/Plain"}}}, "required": ["value"]}}}
            """#
        ),
        SchemaTable(
            HasIdentifier.self,
            #"""
            {"$ref": "#/$defs/HasIdentifier", "$defs": {"HasIdentifier": {"type": "object", "properties": {
            "id": {"type": "string"}}, "required": ["id"]}}}
            """#
        ),
        SchemaTable(
            RawStruct.self,
            #"""
            {"type": "integer"}
            """#
        ),
        SchemaTable(
            Anything.self,
            #"""
            {"$ref": "#/$defs/Anything", "$defs": {"Anything": {"type": "object", "properties": {"extra": {}
            }, "required": ["extra"]}}}
            """#
        ),
        SchemaTable(
            Money.self,
            #"""
            {"$ref": "#/$defs/Money", "$defs": {"Money": {"type": "object", "properties": {"amount": {
            "type": "number"}, "currency": {"$ref": "#/$defs/Money.Currency"}}, "required": ["amount",
            "currency"]}, "Money.Currency": {"type": "string", "enum": ["EUR", "USD"]}}}
            """#
        ),
        SchemaTable(
            Order.self,
            #"""
            {"$ref": "#/$defs/Order", "$defs": {"Money": {"type": "object", "properties": {"amount": {
            "type": "number"}, "currency": {"$ref": "#/$defs/Money.Currency"}}, "required": ["amount",
            "currency"]}, "Money.Currency": {"type": "string", "enum": ["EUR", "USD"]}, "Order": {"type":
            "object", "properties": {"id": {"type": "string", "format": "uuid"}, "lines": {"type": "array",
            "items": {"$ref": "#/$defs/Order.Line"}}, "placed": {"type": ["string", "null"], "format":
            "date-time"}, "total": {"$ref": "#/$defs/Money"}}, "required": ["id", "lines", "total"]},
            "Order.Line": {"type": "object", "properties": {"count": {"type": "integer", "format": "uint64",
            "minimum": 0}, "product": {"type": "integer"}}, "required": ["product", "count"]}}}
            """#
        ),
    ]
}
