import Waybill

/// The requests that one run of an initializer has made at one place of a document.
final class ProbeNode {
    /// The key of the member of which it is the value, or an element of the value; nil for a type's own root.
    let key: String?

    /// The scalars and types that were asked for, in their order.
    private(set) var schemas: [JSONSchema] = []

    /// The members that were asked for, by their coding keys, in their order.
    private(set) var members: [(key: String, member: Member)] = []

    /// The elements that were asked for.
    private(set) var elements: [ProbeNode] = []

    var isNullable = false
    var isKeyed = false
    var isUnkeyed = false
    var hasUniqueElements = false

    /// Whether the initializer decodes a value of another type too.
    var toleratesOtherTypes = false

    /// Whether the initializer asked for the number of elements before it read the first one.
    var asksForCount = false

    /// The schema of the keys, if the keys are data.
    var dictionaryKeys: JSONSchema??

    /// The keys that the probe has made up.
    var syntheticKeys: Set<String> = []

    /// The only value that stands at this place, for one case of several.
    var constant: JSONValue?

    /// A member of an object.
    final class Member {
        let node: ProbeNode

        /// The key as the document has it, and the reason if that is not known.
        let documentKey: String
        let keyProblem: String?

        /// Whether the initializer asked if the member is there, before it decoded it.
        var isOptional = false

        /// Whether the member is there in this run; nil if nothing has depended on it.
        var isPresent: Bool?

        /// Whether the initializer decodes a type that does not fit as if the member were absent.
        var toleratesOtherTypes = false

        var defaultValue: JSONValue?

        init(documentKey: String, keyProblem: String?) {
            self.documentKey = documentKey
            self.keyProblem = keyProblem
            node = ProbeNode(key: documentKey)
        }
    }

    init(key: String? = nil) { self.key = key }

    func ask(for schema: JSONSchema) {
        // A run with the usual value adds nothing to one that has shown which values the initializer accepts.
        if schema.origin == .asked, schemas.contains(where: { $0.origin != .asked && $0.hasKind(of: schema) }) {
            return
        }
        if !schemas.contains(schema) { schemas.append(schema) }
    }

    /// Replaces a schema that was asked for by one that says more.
    func replace(_ schema: JSONSchema, with other: JSONSchema) {
        schemas = schemas.map { $0 == schema ? other : $0 }.uniqued
    }

    /// The number of things that were asked for at this place itself.
    var requestCount: Int { schemas.count + (isKeyed ? 1 : 0) + (isUnkeyed ? 1 : 0) }

    func member(_ key: String) -> Member? { members.first { $0.key == key }?.member }

    func add(_ member: Member, for key: String) { members.append((key, member)) }

    func addElement() -> ProbeNode {
        let node = ProbeNode(key: key)
        elements.append(node)
        return node
    }

    /// Adds what another run has asked for; members that only that run read are optional.
    func merge(_ other: ProbeNode) {
        for schema in other.schemas { ask(for: schema) }
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
        asksForCount = asksForCount || other.asksForCount
        syntheticKeys.formUnion(other.syntheticKeys)
        dictionaryKeys = dictionaryKeys ?? other.dictionaryKeys
    }
}

extension JSONSchema {
    /// Whether both are strings, integers or numbers, of any format.
    fileprivate func hasKind(of other: JSONSchema) -> Bool {
        switch (form, other.form) {
        case (.string, .string), (.integer, .integer), (.number, .number): true
        default: false
        }
    }
}
