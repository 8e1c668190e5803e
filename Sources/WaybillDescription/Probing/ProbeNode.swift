import Waybill

/// The requests at one location in a document, made by one or several runs of an initializer.
final class ProbeNode {
    /// The key of the member that contains the value, directly or in an array; nil for the root of a type.
    let key: String?

    /// The schemas of the requested scalars and types, in order.
    private(set) var schemas: [JSONSchema] = []

    /// The requested members with their coding keys, in order.
    private(set) var members: [(key: String, member: Member)] = []

    /// The requested elements.
    private(set) var elements: [ProbeNode] = []

    var isNullable = false
    var isKeyed = false
    var isUnkeyed = false
    var hasUniqueElements = false

    /// Whether the initializer also succeeds with a value of a different type.
    var toleratesOtherTypes = false

    /// Whether the initializer requested the element count before it read the first element.
    var requestsCount = false

    /// The schema of keys that are data; the inner optional is nil if any string can be a key.
    var dictionaryKeys: JSONSchema??

    /// The keys that the probe generated.
    var syntheticKeys: Set<String> = []

    /// The only value allowed here, in the schema of one enum case.
    var constant: JSONValue?

    /// A member of an object.
    final class Member {
        let node: ProbeNode

        /// The key in the document, and the origin of that key.
        let documentKey: String
        let keyOrigin: JSONSchema.Origin

        /// Whether the initializer checked that the member is present before it decoded it.
        var isOptional = false

        /// Whether the member is present in this run; nil until the initializer depends on it.
        var isPresent: Bool?

        /// Whether the initializer treats a value of a different type as absent.
        var toleratesOtherTypes = false

        var defaultValue: JSONValue?

        init(documentKey: String, keyOrigin: JSONSchema.Origin) {
            self.documentKey = documentKey
            self.keyOrigin = keyOrigin
            node = ProbeNode(key: documentKey)
        }
    }

    init(key: String? = nil) { self.key = key }

    func addRequest(for schema: JSONSchema) {
        // The plain schema adds nothing once a run has determined the values that the initializer accepts.
        if schema.origin == .asked, schemas.contains(where: { $0.origin != .asked && $0.hasSameKind(as: schema) }) {
            return
        }
        if !schemas.contains(schema) { schemas.append(schema) }
    }

    /// Replaces a requested schema with a more specific one.
    func replace(_ schema: JSONSchema, with other: JSONSchema) {
        schemas = schemas.map { $0 == schema ? other : $0 }.uniqued
    }

    /// The number of requests at this node, without its descendants.
    var requestCount: Int { schemas.count + (isKeyed ? 1 : 0) + (isUnkeyed ? 1 : 0) }

    func member(_ key: String) -> Member? { members.first { $0.key == key }?.member }

    func add(_ member: Member, for key: String) { members.append((key, member)) }

    func addElement() -> ProbeNode {
        let node = ProbeNode(key: key)
        elements.append(node)
        return node
    }

    /// Adds the requests of another run; members read only by the other run become optional.
    func merge(_ other: ProbeNode) {
        for schema in other.schemas { addRequest(for: schema) }
        for (key, member) in other.members {
            if let own = self.member(key) {
                own.node.merge(member.node)
                own.isOptional = own.isOptional || member.isOptional
            } else {
                member.isOptional = true
                add(member, for: key)
            }
        }
        for (index, element) in other.elements.enumerated() {
            if elements.indices.contains(index) { elements[index].merge(element) } else { elements.append(element) }
        }
        isNullable = isNullable || other.isNullable
        isKeyed = isKeyed || other.isKeyed
        isUnkeyed = isUnkeyed || other.isUnkeyed
        requestsCount = requestsCount || other.requestsCount
        syntheticKeys.formUnion(other.syntheticKeys)
        dictionaryKeys = dictionaryKeys ?? other.dictionaryKeys
    }
}

extension ProbeNode {
    /// The number of requests and members at this node and its descendants.
    var size: Int {
        requestCount + members.reduce(0) { $0 + 1 + $1.member.node.size } + elements.reduce(0) { $0 + $1.size }
    }

    /// Whether both nodes and their descendants have the same requested members.
    func hasSameMembers(as other: ProbeNode) -> Bool {
        members.count == other.members.count
            && members.allSatisfy { key, member in
                other.member(key).map { member.node.hasSameMembers(as: $0.node) } ?? false
            }
    }

    /// Makes members optional if another, successful run did not read them.
    func makeOptional(unreadBy other: ProbeNode) {
        guard isKeyed, other.isKeyed else { return }
        for (key, member) in members where !syntheticKeys.contains(key) {
            if let read = other.member(key) {
                member.node.makeOptional(unreadBy: read.node)
            } else {
                member.isOptional = true
            }
        }
    }
}

extension JSONSchema {
    /// Whether both are strings, integers or numbers, regardless of format.
    fileprivate func hasSameKind(as other: JSONSchema) -> Bool {
        switch (form, other.form) {
        case (.string, .string), (.integer, .integer), (.number, .number): true
        default: false
        }
    }
}

extension ProbeNode {
    /// The schema of the requests at this node.
    var schema: JSONSchema {
        if let constant { return JSONSchema(.enumeration([constant], isOpen: false)) }
        var alternatives = schemas
        if isKeyed { alternatives.append(keyedSchema) }
        if isUnkeyed { alternatives.append(unkeyedSchema) }
        var schema = JSONSchema.anyOf(alternatives, orUnknown: "the initializer reads nothing here")
        if isNullable { schema.isNullable = true }
        if toleratesOtherTypes, schema.origin == .asked {
            schema.origin = .inferred("values of other types are also decoded")
        }
        return schema
    }

    private var keyedSchema: JSONSchema {
        let values = members.filter { syntheticKeys.contains($0.key) }.map(\.member.node)
        guard !values.isEmpty || dictionaryKeys != nil else { return JSONSchema(.object(properties)) }
        let value = JSONSchema.anyOf(values.map(\.schema).uniqued, orUnknown: "the initializer reads no value")
        return JSONSchema(.dictionary(value, keys: dictionaryKeys ?? nil))
    }

    private var properties: [JSONSchema.Property] {
        members.map { key, member in
            var schema = member.node.schema
            switch member.keyOrigin {
            case .unknown: schema.origin = member.keyOrigin
            case .inferred where schema.origin == .asked: schema.origin = member.keyOrigin
            case .asked, .sampled, .inferred: break
            }
            if let value = member.defaultValue, schema.matches(value) { schema.defaultValue = value }
            if member.toleratesOtherTypes, schema.origin == .asked {
                schema.origin = .inferred("a value of another type counts as absent")
            }
            return JSONSchema.Property(
                member.documentKey,
                schema,
                isRequired: !member.isOptional && !member.toleratesOtherTypes
            )
        }
    }

    private var unkeyedSchema: JSONSchema {
        let schemas = elements.map(\.schema)
        guard requestsCount || elements.isEmpty || elements.count > Self.maximumTupleLength else {
            return JSONSchema(.tuple(schemas))
        }
        let different = schemas.uniqued
        switch different.count {
        case 0:
            return JSONSchema(
                .array(.unknown("the initializer reads no element"), hasUniqueElements: hasUniqueElements)
            )
        case 1: return JSONSchema(.array(different[0], hasUniqueElements: hasUniqueElements))
        default: return JSONSchema(.tuple(schemas))
        }
    }

    // An initializer that reads more elements without requesting the count is assumed to read until the end.
    private static let maximumTupleLength = 64
}

extension JSONSchema {
    /// Whether a value matches the schema; false for forms that are not checked, such as objects.
    func matches(_ value: JSONValue) -> Bool {
        switch form {
        case .boolean: value.boolValue != nil
        case .integer: value.intValue != nil
        case .number: value.doubleValue != nil
        case .string(format: nil): value.stringValue != nil
        case .enumeration(let values, let isOpen): isOpen || values.contains(value)
        case .array(let element, _): value.arrayValue.map { $0.allSatisfy(element.matches) } ?? false
        case .dictionary(let element, _): value.objectValue.map { $0.values.allSatisfy(element.matches) } ?? false
        default: false
        }
    }
}
