import Waybill

/// A schema and its location in a document.
struct LocatedSchema {
    let json: JSONValue
    let place: String
}

/// The combination of all schemas in a document that apply to one value.
///
/// References are resolved, the parts of `allOf` are combined, and differences between OpenAPI versions are removed.
struct DocumentSchema {
    /// The location in the document, with references resolved.
    private(set) var place: String

    /// The locations of the combined schemas and the selected types; equal for equal schemas.
    private(set) var identity: [String] = []

    private(set) var properties: [String: [LocatedSchema]] = [:]
    private(set) var required: Set<String> = []

    /// The members required by the presence of another, keyed by the name of that other member.
    private(set) var dependents: [String: Set<String>] = [:]

    /// Whether the document rejects unlisted members.
    private(set) var isClosed = false

    /// Whether the document explicitly allows unlisted members.
    private(set) var isOpen = false

    /// The schemas of unlisted members.
    private(set) var additional: [LocatedSchema] = []
    private(set) var items: [LocatedSchema] = []
    private(set) var leadingItems: [[LocatedSchema]] = []

    /// The values of `enum` and `const`, except `null`.
    private(set) var values: [JSONValue]?

    private var statedTypes: Set<String>?

    /// Whether the schemas allow `null`; nil if they do not state it.
    private var allowsNull: Bool?

    /// The lists of alternative schemas, except those that allow only `null`.
    private var choices: [[LocatedSchema]] = []
    private var choiceAllowsNull = false

    private var read: Set<String> = []
    private let document: DocumentReader

    init(_ schemas: [LocatedSchema], in document: DocumentReader) {
        place = schemas.first?.place ?? "#"
        self.document = document
        for schema in schemas { add(schema) }
    }

    /// The types except `null`, inferred from other keywords if they are not stated; empty if unknown.
    var types: Set<String> {
        if let statedTypes { return statedTypes }
        if let values { return Self.simplified(Set(values.map(\.schemaTypeName))) }
        if !properties.isEmpty { return ["object"] }
        return items.isEmpty && leadingItems.isEmpty ? [] : ["array"]
    }

    /// Whether the document allows `null`.
    var isNullable: Bool { allowsNull ?? choiceAllowsNull }

    /// Returns the alternatives of this schema, each combined with the keywords beside `oneOf` and `anyOf`.
    ///
    /// - Parameter splitsTypes: whether several types also count as alternatives.
    /// - Returns: the alternatives; empty for a schema without a choice.
    func alternatives(splitsTypes: Bool) -> [DocumentSchema] {
        if let choice = choices.first {
            let all = choice.map { part in
                var chosen = withoutFirstChoice
                chosen.place = part.place
                chosen.add(part)
                return chosen
            }
            let satisfiable = all.filter(\.isSatisfiable)
            // An alternative that allows any object would hide the requirements of the others.
            let specific = satisfiable.filter { !$0.allowsAnyContent }
            let types = specific.reduce(into: Set<String>()) { $0.formUnion($1.types) }
            let different = satisfiable.filter { !$0.allowsAnyContent || $0.types.isDisjoint(with: types) }
            return different.isEmpty ? all : different
        }
        guard splitsTypes, types.count > 1 else { return [] }
        return types.sorted().map { type in
            var chosen = withoutFirstChoice
            chosen.statedTypes = [type]
            chosen.values = values?.filter { Self.simplified([type, $0.schemaTypeName]) == [type] }
            chosen.identity.append(type)
            return chosen
        }
    }

    /// The schema without its first choice, and without a `null` that applies to the schema as a whole.
    private var withoutFirstChoice: DocumentSchema {
        var schema = self
        schema.choices = Array(choices.dropFirst())
        schema.choiceAllowsNull = false
        if isNullable { schema.allowsNull = false }
        return schema
    }

    /// Whether any value can satisfy the schema.
    private var isSatisfiable: Bool { statedTypes?.isEmpty != true && values?.isEmpty != true }

    /// Whether the schema allows an object, or an array of objects or arbitrary values, without other requirements.
    private var allowsAnyContent: Bool {
        guard types == ["array"] else { return allowsAnyObject }
        guard choices.isEmpty, leadingItems.isEmpty else { return false }
        let element = DocumentSchema(items, in: document)
        return element.allowsAnyObject || (element.types.isEmpty && element.choices.isEmpty)
    }

    private var allowsAnyObject: Bool {
        types == ["object"] && properties.isEmpty && required.isEmpty && additional.isEmpty && choices.isEmpty
    }

    private mutating func add(_ schema: LocatedSchema) {
        let nullability = read(schema, depth: 0)
        allowsNull = Self.conjunction(allowsNull, nullability)
        // An optional reference is often written as a choice between the reference and `null`.
        while let only = choices.first(where: { $0.count == 1 })?.first {
            choices.removeAll { $0.count == 1 && $0[0].place == only.place }
            let isNullable = isNullable
            let nullability = read(only, depth: 1)
            allowsNull = isNullable ? true : Self.conjunction(allowsNull, nullability)
        }
    }

    /// Reads the keywords of a schema.
    ///
    /// - Parameters:
    ///   - schema: the schema and its location.
    ///   - depth: the nesting depth of the schema.
    /// - Returns: whether the schema allows `null`; nil if it does not state it.
    private mutating func read(_ schema: LocatedSchema, depth: Int) -> Bool? {
        let (json, place) = (schema.json, schema.place)
        guard depth < 32, read.insert(place).inserted else { return nil }
        var nullability: Bool?
        if let reference = json["$ref"]?.stringValue, let target = document.resolve(reference) {
            if place == self.place { self.place = target.place }
            nullability = read(LocatedSchema(json: target.json, place: target.place), depth: depth + 1)
            if json.objectValue?.count == 1 { return nullability }
        }
        identity.append(place)
        nullability = Self.conjunction(nullability, readTypes(json))
        readMembers(json, at: place)
        readElements(json, at: place)
        for (index, part) in (json["allOf"]?.arrayValue ?? []).enumerated() {
            let other = read(LocatedSchema(json: part, place: "\(place)/allOf/\(index)"), depth: depth + 1)
            nullability = Self.conjunction(nullability, other)
        }
        readChoices(json, at: place)
        // In version 3.0, `nullable` can appear beside a reference to a schema that is not nullable.
        return json["nullable"] == true || json["x-nullable"] == true ? true : nullability
    }

    /// Reads the types and the listed values of a schema.
    ///
    /// - Parameter json: the schema.
    /// - Returns: whether they allow `null`; nil for a schema without them.
    private mutating func readTypes(_ json: JSONValue) -> Bool? {
        var nullability: Bool?
        let listed: [String] =
            switch json["type"] {
            case .string(let type)?: [type]
            case .array(let list)?: list.compactMap(\.stringValue)
            default: []
            }
        if !listed.isEmpty {
            nullability = listed.contains("null")
            restrictTypes(to: Self.simplified(Set(listed)))
        }
        var list = json["enum"]?.arrayValue
        if let constant = json["const"] { list = [constant] }
        guard let list else { return nullability }
        let others = list.filter { !$0.isNull }
        values = values.map { values in values.filter(others.contains) } ?? others
        return Self.conjunction(nullability, list.contains(.null))
    }

    private mutating func restrictTypes(to types: Set<String>) {
        guard let stated = statedTypes else {
            statedTypes = types
            return
        }
        var common = stated.intersection(types)
        if stated.union(types).isSuperset(of: ["integer", "number"]) { common.insert("integer") }
        statedTypes = common
    }

    private mutating func readMembers(_ json: JSONValue, at place: String) {
        for (name, schema) in json["properties"]?.objectValue ?? [:] {
            let pointer = "\(place)/properties/\(name.replacingPointerCharacters)"
            properties[name, default: []].append(LocatedSchema(json: schema, place: pointer))
        }
        required.formUnion(json["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        // Earlier drafts of JSON Schema use `dependencies`.
        for keyword in ["dependentRequired", "dependencies"] {
            for (name, others) in json[keyword]?.objectValue ?? [:] {
                dependents[name, default: []].formUnion(others.arrayValue?.compactMap(\.stringValue) ?? [])
            }
        }
        if json["unevaluatedProperties"] == false { isClosed = true }
        let hasPatterns = json["patternProperties"]?.objectValue?.isEmpty == false
        if hasPatterns { isOpen = true }
        switch json["additionalProperties"] {
        case false?: if !hasPatterns { isClosed = true }
        case true?: isOpen = true
        case .object(let schema)?:
            isOpen = true
            additional.append(LocatedSchema(json: .object(schema), place: "\(place)/additionalProperties"))
        default: break
        }
    }

    private mutating func readElements(_ json: JSONValue, at place: String) {
        if case .object? = json["items"], let element = json["items"] {
            items.append(LocatedSchema(json: element, place: "\(place)/items"))
        }
        for (index, element) in (json["prefixItems"]?.arrayValue ?? []).enumerated() {
            if leadingItems.count <= index { leadingItems.append([]) }
            leadingItems[index].append(LocatedSchema(json: element, place: "\(place)/prefixItems/\(index)"))
        }
    }

    private mutating func readChoices(_ json: JSONValue, at place: String) {
        for keyword in ["oneOf", "anyOf"] {
            var choice: [LocatedSchema] = []
            for (index, part) in (json[keyword]?.arrayValue ?? []).enumerated() {
                if part["type"] == "null" || part["enum"] == [.null] {
                    choiceAllowsNull = true
                } else {
                    choice.append(LocatedSchema(json: part, place: "\(place)/\(keyword)/\(index)"))
                }
            }
            if !choice.isEmpty { choices.append(choice) }
        }
    }

    /// Returns whether two schemas together allow `null`; nil if neither states it.
    private static func conjunction(_ left: Bool?, _ right: Bool?) -> Bool? {
        guard let left, let right else { return left ?? right }
        return left && right
    }

    /// Returns the types without `null`, and without `integer` if `number` is included.
    private static func simplified(_ types: Set<String>) -> Set<String> {
        types.subtracting(types.contains("number") ? ["null", "integer"] : ["null"])
    }
}
