import Waybill

/// A schema of a document, with references resolved and the keywords of the versions made equal.
struct DocumentSchema {
    /// The place in the document, behind references.
    private(set) var place: String

    /// The types, of which `null` is not one; empty if the document does not say.
    private(set) var types: Set<String> = []
    private(set) var isNullable = false
    private(set) var properties: [String: (json: JSONValue, place: String)] = [:]
    private(set) var required: Set<String> = []

    /// Whether other members than the listed ones are rejected.
    private(set) var isClosed = false
    private(set) var additional: (json: JSONValue, place: String)?
    private(set) var items: (json: JSONValue, place: String)?
    private(set) var values: [JSONValue]?

    /// The schemas of which one or any holds.
    private(set) var alternatives: [(json: JSONValue, place: String)] = []

    init(_ json: JSONValue, at place: String, in document: DocumentReader) {
        self.place = place
        read(json, at: place, document, depth: 0)
    }

    private mutating func read(_ json: JSONValue, at place: String, _ document: DocumentReader, depth: Int) {
        guard depth < 32 else { return }
        if let reference = json["$ref"]?.stringValue {
            guard let target = document.resolve(reference) else { return }
            if place == self.place { self.place = target.place }
            read(target.json, at: target.place, document, depth: depth + 1)
        }
        switch json["type"] {
        case .string(let type)?: types.insert(type)
        case .array(let list)?: types.formUnion(list.compactMap(\.stringValue))
        default: break
        }
        if types.remove("null") != nil { isNullable = true }
        if json["nullable"] == true || json["x-nullable"] == true { isNullable = true }
        for (name, schema) in json["properties"]?.objectValue ?? [:] {
            properties[name] = (schema, "\(place)/properties/\(name.replacingPointerCharacters)")
        }
        if !properties.isEmpty, types.isEmpty { types = ["object"] }
        required.formUnion(json["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        switch json["additionalProperties"] {
        case false?: isClosed = true
        case .object(let schema)?: additional = (.object(schema), "\(place)/additionalProperties")
        default: break
        }
        if let element = json["items"] { items = (element, "\(place)/items") }
        if let constant = json["const"] { values = [constant] }
        if let list = json["enum"]?.arrayValue {
            if list.contains(.null) { isNullable = true }
            values = list.filter { !$0.isNull }
        }
        for (index, part) in (json["allOf"]?.arrayValue ?? []).enumerated() {
            read(part, at: "\(place)/allOf/\(index)", document, depth: depth + 1)
        }
        for keyword in ["oneOf", "anyOf"] {
            for (index, part) in (json[keyword]?.arrayValue ?? []).enumerated() {
                if part["type"] == "null" {
                    isNullable = true
                } else {
                    alternatives.append((part, "\(place)/\(keyword)/\(index)"))
                }
            }
        }
        // An optional reference is written as the reference or null.
        if alternatives.count == 1, let only = alternatives.first, types.isEmpty, properties.isEmpty {
            alternatives = []
            read(only.json, at: only.place, document, depth: depth + 1)
        }
    }
}
