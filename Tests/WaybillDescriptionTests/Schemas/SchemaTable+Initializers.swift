import Foundation
import Waybill

extension SchemaTable {
    /// Types with custom decoding.
    static let initializers: [SchemaTable] = [
        SchemaTable(
            ExplicitNull.self,
            #"""
            {"$ref": "#/$defs/ExplicitNull", "$defs": {"ExplicitNull": {"type": "object", "properties": {
            "value": {"type": ["integer", "null"]}}, "required": ["value"]}}}
            """#
        ),
        SchemaTable(
            AsksForNil.self,
            #"""
            {"$ref": "#/$defs/AsksForNil", "$defs": {"AsksForNil": {"type": "object", "properties": {
            "value": {"type": ["integer", "null"]}}, "required": ["value"]}}}
            """#
        ),
        SchemaTable(
            Defaults.self,
            #"""
            {"$ref": "#/$defs/Defaults", "$defs": {"Defaults": {"type": "object", "properties": {"limit": {
            "type": ["integer", "null"], "default": 20}, "sort": {"type": ["string", "null"], "default":
            "name"}, "tags": {"type": ["array", "null"], "default": [], "items": {"type": "string"}}}}}}
            """#
        ),
        SchemaTable(
            DefaultsOfDecodable.self,
            #"""
            {"$ref": "#/$defs/DefaultsOfDecodable", "$defs": {"DefaultsOfDecodable": {"type": "object",
            "properties": {"limit": {"type": ["integer", "null"], "default": 5}}}}}
            """#
        ),
        SchemaTable(
            Tolerant.self,
            #"""
            {"$ref": "#/$defs/Tolerant", "$defs": {"Tolerant": {"type": "object", "properties": {"count": {
            "type": "integer", "$comment":
            "Inferred: a value of another type counts as absent.", "default": 0}}}}}
            """#
        ),
        SchemaTable(
            Email.self,
            #"""
            {"type": "string", "format": "email", "$comment":
            "Inferred: the initializer rejects \"text\" and accepts \"someone@example.com\".", "examples": [
            "someone@example.com"]}
            """#
        ),
        SchemaTable(
            Percentage.self,
            #"""
            {"type": "integer", "$comment": "Inferred: the initializer rejects 1 and accepts 100.",
            "examples": [100]}
            """#
        ),
        SchemaTable(
            LeastPrice.self,
            #"""
            {"type": "number", "$comment": "Inferred: the initializer rejects 1 and accepts 100.",
            "examples": [100]}
            """#
        ),
        SchemaTable(
            Validated.self,
            #"""
            {"$ref": "#/$defs/Validated", "$defs": {"Validated": {"type": "object", "properties": {"email":
            {"type": "string", "format": "email", "$comment":
            "Inferred: the initializer rejects \"text\" and accepts \"someone@example.com\".", "examples": [
            "someone@example.com"]}, "id": {"type": "string", "format": "uuid"}, "percentage": {"type":
            "integer", "$comment": "Inferred: the initializer rejects 1 and accepts 100.", "examples": [100]}
            }, "required": ["email", "id", "percentage"]}}}
            """#
        ),
        SchemaTable(
            Impossible.self,
            #"""
            {"$ref": "#/$defs/Impossible", "$defs": {"Impossible": {"type": "object", "$comment":
            "Not learned: the initializer rejected all attempted values: It is not the word.",
            "properties": {"secret": {"type": "string"}}, "required": ["secret"]}}}
            """#
        ),
        SchemaTable(
            Coordinates.self,
            #"""
            {"type": "array", "minItems": 2, "prefixItems": [{"type": "number", "format": "double"}, {
            "type": "string"}]}
            """#
        ),
        SchemaTable(
            Flattened.self,
            #"""
            {"$ref": "#/$defs/Flattened", "$defs": {"Flattened": {"type": "object", "properties": {
            "address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            "id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["address", "id", "name"]}}}
            """#
        ),
        SchemaTable(
            Dog.self,
            #"""
            {"$ref": "#/$defs/Dog", "$defs": {"Dog": {"type": "object", "properties": {"legs": {"type":
            "integer"}, "name": {"type": "string"}}, "required": ["name", "legs"]}}}
            """#
        ),
        SchemaTable(
            Cat.self,
            #"""
            {"$ref": "#/$defs/Cat", "$defs": {"Cat": {"type": "object", "properties": {"name": {"type":
            "string"}, "super": {"type": "object", "properties": {"legs": {"type": "integer"}}, "required":
            ["legs"]}}, "required": ["name", "super"]}}}
            """#
        ),
        SchemaTable(
            Dynamic.self,
            #"""
            {"type": "object", "additionalProperties": {"type": "integer"}}
            """#
        ),
        SchemaTable(
            Nothing.self,
            #"""
            {"$comment": "Not learned: the initializer reads nothing here."}
            """#
        ),
        SchemaTable(
            ReadsNothing.self,
            #"""
            {"$comment": "Not learned: the initializer reads nothing here."}
            """#
        ),
        SchemaTable(
            Endless.self,
            #"""
            {"type": "array", "$comment":
            "Not learned: the initializer rejected all attempted values: The initializer does not terminate.",
            "items": {"type": "integer"}}
            """#
        ),
        SchemaTable(
            Lossy.self,
            #"""
            {"$ref": "#/$defs/Lossy", "$defs": {"Lossy": {"type": "object", "properties": {"items": {"type":
            "array", "items": {"anyOf": [{"type": "integer"}, {}]}}}, "required": ["items"]}}}
            """#
        ),
        SchemaTable(
            ContainsAsked.self,
            #"""
            {"$ref": "#/$defs/ContainsAsked", "$defs": {"ContainsAsked": {"type": "object", "properties": {
            "admin": {"$comment": "Not learned: the initializer reads nothing here."}}}}}
            """#
        ),
        SchemaTable(
            Wrapped.self,
            #"""
            {"$ref": "#/$defs/Wrapped", "$defs": {"Wrapped": {"type": "object", "properties": {"count": {
            "type": "integer", "$comment": "Inferred: values of other types are also decoded."}},
            "required": ["count"]}}}
            """#
        ),
    ]
}
