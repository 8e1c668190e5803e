import Foundation
import Waybill
import WaybillDescription

/// Documents for the schema of a type, split by whether the type decodes them.
struct SchemaSamples {
    let schema: JSONSchema.Document
    let decoded: [JSONValue]
    let rejected: [JSONValue]

    init(of type: any Decodable.Type) {
        func open<Value: Decodable>(_ type: Value.Type) -> JSONSchema.Document { JSONSchema.Document(of: type) }
        let schema = open(type)
        self.schema = schema
        let complete = Self.alternatives(of: schema.root, in: schema)
        decoded = (complete + complete.flatMap(\.withoutAMember)).uniqued.filter { Self.decodes(type, $0) }
        // A `$comment` means that the type may accept more or fewer values than the schema.
        let isExact = !schema.json.description.contains("$comment")
        // "AQID" is valid Base64: Data rejects other strings, a schema does not (JSON Schema Validation, section 8).
        let others = complete.flatMap { $0.withoutAMember + $0.withANull } + [.null, true, -1, "AQID", [], [:]]
        let invalid = others.uniqued.filter { !Self.decodes(type, $0) }
        rejected = isExact ? invalid : []
    }

    /// Returns one document for each case, listed value and alternative of a schema.
    private static func alternatives(of schema: JSONSchema, in document: JSONSchema.Document) -> [JSONValue] {
        let resolved = document.resolving(schema) ?? schema
        let values =
            switch resolved.form {
            case .oneOf(let schemas), .anyOf(let schemas): schemas.map { document.example(of: $0) }
            case .enumeration(let values, _): values
            default: [document.example(of: schema)]
            }
        return resolved.isNullable ? values + [.null] : values
    }

    private static func decodes(_ type: any Decodable.Type, _ document: JSONValue) -> Bool {
        (try? JSONSchema.Document.usualDecoder.decode(type, from: Data(document.description.utf8))) != nil
    }
}

extension JSONValue {
    /// The object with each of its members removed in turn.
    fileprivate var withoutAMember: [JSONValue] {
        (objectValue ?? [:]).keys.sorted().map { removing([$0]) }
    }

    /// The object with each of its members replaced by null in turn.
    fileprivate var withANull: [JSONValue] {
        (objectValue ?? [:]).keys.sorted().map { setting(.null, at: [$0]) }
    }
}
