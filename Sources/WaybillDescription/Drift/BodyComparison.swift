import Waybill
import WaybillJSON
import WaybillSystem

/// A comparison of a body with the types decoded from it.
struct BodyComparison {
    let root = DriftNode()

    /// The number of findings dropped because an object has too many keys.
    private(set) var omittedCount = 0

    /// The number of findings that can explain why a body failed to decode.
    var severeCount = 0

    /// The number of members that no type decodes.
    var unreadCount = 0

    /// The nesting depth of alternatives around the current value.
    var alternativeDepth = 0

    /// Whether the body is merged into the sent value, which supplies the missing members.
    private var isMerged = false

    /// Whether the whole body was decoded, which proves that the type accepts missing members.
    private var isDecoded = false

    /// Whether a decoded body lacks a member that the schema requires.
    ///
    /// In that case, the schema was learned without running all branches of the initializer.
    private(set) var contradictsSchema = false

    let expectation: BodyExpectation
    private let date: Date

    init(_ expectation: BodyExpectation, date: Date) {
        self.expectation = expectation
        self.date = date
    }

    /// Returns an empty comparison with the same settings, for one of several alternatives.
    func trial() -> BodyComparison {
        var trial = BodyComparison(expectation, date: date)
        trial.isMerged = isMerged
        trial.alternativeDepth = alternativeDepth + 1
        return trial
    }

    /// Compares the body of a response.
    mutating func compare(_ response: InspectedResponse) {
        isMerged = response.outcome == .merged
        if case .decoded(0) = response.outcome { isDecoded = true }
        if let body = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: response.body) {
            compare(body, with: expectation.parts, at: root)
        }
        switch response.outcome {
        case .merged: break
        case .failed(let path): if severeCount == 0 { record(.undecodable, at: node(at: path)) }
        case .decoded(let count): if count > 0 { recordDroppedItems(count) }
        }
    }

    /// Returns the deepest known node along the path of an error.
    private func node(at path: [EnvelopeKey]) -> DriftNode {
        path.reduce((node: root, isKnown: true)) { found, key in
            guard found.isKnown else { return found }
            let next: DriftNode? =
                switch key {
                case .index: found.node.children[.element] ?? found.node.children[.value]
                case .key(let name):
                    // A key strategy converts the names in the path, and all values of a dictionary share one node.
                    found.node.children[.member(name)] ?? found.node.children[.value]
                        ?? found.node.children.first { $0.key.isMember { expectation.isSpelling($0, of: name) } }?.value
                }
            return next.map { ($0, true) } ?? (found.node, false)
        }.node
    }

    private mutating func recordDroppedItems(_ count: Int) {
        let list = (expectation.parts.first?.path ?? []).reduce(root as DriftNode?) { node, key in
            switch key {
            case .key(let name): node?.child(at: .member(name))
            case .index: node?.child(at: .element)
            }
        }
        list?.child(at: .element)?.record(.droppedItem, count: count, at: date)
    }

    /// Records a finding at a node, or only counts it as omitted if there is no node.
    mutating func record(_ kind: DriftDetector.Report.Kind, at node: DriftNode?) {
        switch kind {
        case .missing, .null, .otherType, .unknownCase, .undecodable: severeCount += 1
        case .unread: unreadCount += 1
        case .neverPresent, .droppedItem: break
        }
        guard let node else {
            omittedCount += 1
            return
        }
        node.record(kind, at: date)
    }

    /// Records a missing member.
    mutating func recordAbsence(_ key: String, isRequired: Bool, at node: DriftNode) {
        guard !isMerged else { return }
        if isRequired, isDecoded { contradictsSchema = true }
        record(isRequired && !isDecoded ? .missing : .neverPresent, at: node.child(at: .member(key)))
    }

    /// Returns the node of a nested value, or counts an omitted finding and returns nil if the limit is reached.
    mutating func child(_ step: DriftNode.Step, of node: DriftNode) -> DriftNode? {
        let found = node.child(at: step)
        if found == nil { omittedCount += 1 }
        return found
    }
}

extension BodyComparison {
    /// Compares a value with the parts of the body that start at or below it.
    mutating func compare(_ value: JSONValue, with parts: [BodyExpectation.Part], at node: DriftNode) {
        let inner = parts.filter { !$0.path.isEmpty }
        let own = schema(ofAll: parts.filter(\.path.isEmpty).map { $0.fitting(value) })
        guard !inner.isEmpty else {
            if let own { compare(value, with: own.schema, isOptional: !own.isRequired, at: node) }
            return
        }
        switch value {
        case .object(let members):
            node.valueCount += 1
            compare(members, with: inner, own?.schema, at: node)
        case .array(let elements):
            node.valueCount += 1
            compare(elements, with: inner, own?.schema, at: node)
        default:
            node.valueCount += 1
            guard inner.contains(where: \.isRequired) else { return }
            if value.isNull { return record(.null, at: node) }
            let expected = if case .index? = inner.first?.path.first { "array" } else { "object" }
            record(.otherType(expected: expected, found: value.schemaTypeName), at: node)
        }
    }

    private mutating func compare(
        _ members: [String: JSONValue],
        with parts: [BodyExpectation.Part],
        _ own: JSONSchema?,
        at node: DriftNode
    ) {
        var known: [String: [BodyExpectation.Part]] = [:]
        for part in parts {
            guard case .key(let name)? = part.path.first else { continue }
            if let key = Self.key(similarTo: name, in: members) {
                var rest = part
                rest.path.removeFirst()
                known[key, default: []].append(rest)
            } else if part.isRequired || part.schema.form != .any {
                // A field of any type, such as the link to the next page, can be absent.
                recordAbsence(name, isRequired: part.isRequired, at: node)
            }
        }
        let own = own.flatMap { expectation.document.resolving($0) }
        for (key, var inner) in known {
            guard let value = members[key] else { continue }
            switch own?.form {
            case .object(let properties)?:
                if let property = properties.first(where: { $0.key == key }) {
                    inner.append(.init(schema: property.schema, path: [], isRequired: property.isRequired))
                }
            case .dictionary(let schema, _)?: inner.append(.init(schema: schema, path: [], isRequired: true))
            default: break
            }
            if let child = self.child(.member(key), of: node) { compare(value, with: inner, at: child) }
        }
        let rest = members.filter { known[$0.key] == nil }
        guard let own else {
            for key in rest.keys { record(.unread, at: node.child(at: .member(key))) }
            return
        }
        if case .object(let properties) = own.form {
            let others = properties.filter { known[$0.key] == nil }
            compare(rest, with: others, isComplete: own.listsAllMembers, at: node)
        } else {
            node.valueCount -= 1
            compare(.object(rest), with: own, at: node)
        }
    }

    private mutating func compare(
        _ elements: [JSONValue],
        with parts: [BodyExpectation.Part],
        _ own: JSONSchema?,
        at node: DriftNode
    ) {
        let own = own.flatMap { expectation.document.resolving($0) }
        var known: [Int: [BodyExpectation.Part]] = [:]
        for part in parts {
            guard case .index(let number)? = part.path.first else { continue }
            let index = number < 0 ? elements.count + number : number
            if elements.indices.contains(index) {
                var rest = part
                rest.path.removeFirst()
                known[index, default: []].append(rest)
            } else if part.isRequired {
                record(.missing, at: node.child(at: .element))
            }
        }
        for (index, element) in elements.enumerated() {
            guard let child = self.child(.element, of: node) else { return }
            var inner = known[index] ?? []
            switch own?.form {
            case .any?: inner.append(.init(schema: JSONSchema(.any), path: [], isRequired: false))
            case .array(let schema, _)?: inner.append(.init(schema: schema, path: [], isRequired: true))
            case .tuple(let schemas)? where schemas.indices.contains(index):
                inner.append(.init(schema: schemas[index], path: [], isRequired: true))
            default: break
            }
            if inner.isEmpty { record(.unread, at: child) } else { compare(element, with: inner, at: child) }
        }
    }

    /// Returns the merged schema of parts that decode the same value; nil for an empty list.
    private func schema(ofAll parts: [BodyExpectation.Part]) -> (schema: JSONSchema, isRequired: Bool)? {
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else { return (first.schema, first.isRequired) }
        let schemas = parts.compactMap { expectation.document.resolving($0.schema) }
        // A part that accepts any value decodes all members.
        if let whole = schemas.first(where: { $0.form == .any }), schemas.count == parts.count {
            let typed = schemas.first { $0.form != .any } ?? whole
            if case .object = typed.form { return (whole, false) }
            return (typed, parts.contains(where: \.isRequired))
        }
        let merged = schemas.dropFirst().reduce(schemas.first ?? first.schema) { $0.merging($1) }
        return (merged, parts.contains(where: \.isRequired))
    }

    /// Returns the key of the member that a path refers to: an exact match, or else the only similar spelling.
    private static func key(similarTo name: String, in members: [String: JSONValue]) -> String? {
        if members[name] != nil { return name }
        let folded = KeySpelling.folded(name)
        let similar = members.keys.filter { KeySpelling.folded($0) == folded }
        return similar.count == 1 ? similar[0] : nil
    }
}

/// The schemas of the types decoded from a body, learned once for each combination of types, paths and decoder.
struct BodyExpectation: Sendable {
    /// The identity of an expectation.
    struct Key: Hashable, Sendable {
        private let types: [ObjectIdentifier]
        private let paths: [[EnvelopeKey]]
        private let mayBeOnlyItem: [Bool]
        private let decoder: String

        /// Creates the key of a response; returns nil if its decoder is not supported.
        init?(_ response: InspectedResponse) {
            let decode = response.settings[Decode.self]
            if let decoder = decode?.decoder {
                guard decoder is WaybillJSONDecoder || type(of: decoder) == JSONDecoder.self else { return nil }
            }
            types = response.parts.map { ObjectIdentifier($0.type) }
            paths = response.parts.map(\.path)
            mayBeOnlyItem = response.parts.map(\.mayBeOnlyItem)
            decoder = decode?.summary ?? ""
        }
    }

    /// A schema and its path in the body.
    struct Part: Sendable {
        var schema: JSONSchema
        var path: ArraySlice<EnvelopeKey>
        let isRequired: Bool

        /// The schema of a single item accepted in place of a list; nil if only a list is accepted.
        var onlyItem: JSONSchema?

        /// Returns the part with the schema that applies to the form of a value.
        func fitting(_ value: JSONValue) -> Part {
            guard let onlyItem, value.arrayValue == nil, !value.isNull else { return self }
            var part = self
            part.schema = onlyItem
            return part
        }
    }

    let document: JSONSchema.Document
    let parts: [Part]
    private let keys: WaybillJSONDecoder.KeyDecodingStrategy

    /// The bodies that supplied values for the initializers.
    private let samples: [JSONValue]

    /// The maximum number of bodies used to learn a schema again.
    private static let maximumSamples = 8

    /// Returns an expectation learned again with the values of a response; nil once the limit is reached.
    func relearned(with response: InspectedResponse) -> BodyExpectation? {
        guard samples.count < Self.maximumSamples,
            let body = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: response.body)
        else { return nil }
        return BodyExpectation(response, samples: samples + [body])
    }

    /// Learns the schemas of the types decoded from a response.
    init(_ response: InspectedResponse, samples: [JSONValue] = []) {
        self.samples = samples
        let library = SchemaLibrary(samples: samples)
        parts = response.parts.map { part in
            let schema = library.schema(of: part.type, response.settings)
            let list = JSONSchema.Document(definitions: library.definitions).resolving(schema)
            let onlyItem: JSONSchema? =
                if part.mayBeOnlyItem, case .array(let element, _)? = list?.form { element } else { nil }
            return Part(schema: schema, path: part.path[...], isRequired: part.isRequired, onlyItem: onlyItem)
        }
        document = JSONSchema.Document(definitions: library.definitions)
        keys = library.probe(for: response.settings).conventions.keys
    }

    /// Whether the decoder treats a document's key as a spelling of a schema's key.
    func isSpelling(_ name: String, of key: String) -> Bool {
        if case .useDefaultKeys = keys { return false }
        let converted = keys.converting(name, in: [])
        return converted == key || converted == keys.converting(key, in: [])
    }
}
