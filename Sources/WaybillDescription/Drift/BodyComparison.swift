import Waybill
import WaybillJSON
import WaybillSystem

/// A comparison of one body with the types that the call decodes from it.
struct BodyComparison {
    let root = DriftPlace()

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

    /// Whether the whole body was decoded, which shows that the type accepts the missing members.
    private var isDecoded = false

    /// Whether a decoded body lacks a member that the schema requires.
    ///
    /// The schema was then learned from an initializer that did not take all of its branches.
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
        case .failed(let path): if severeCount == 0 { note(.undecodable, at: place(at: path)) }
        case .decoded(let count): if count > 0 { noteDroppedItems(count) }
        }
    }

    /// Returns the deepest known location along the path of an error.
    private func place(at path: [EnvelopeKey]) -> DriftPlace {
        path.reduce((place: root, isKnown: true)) { found, key in
            guard found.isKnown else { return found }
            let next: DriftPlace? =
                switch key {
                case .index: found.place.places[.element] ?? found.place.places[.value]
                case .key(let name):
                    // A key strategy converts the names in the path, and all values of a dictionary share one location.
                    found.place.places[.member(name)] ?? found.place.places[.value]
                        ?? found.place.places.first { $0.key.isMember { expectation.isSpelling($0, of: name) } }?.value
                }
            return next.map { ($0, true) } ?? (found.place, false)
        }.place
    }

    private mutating func noteDroppedItems(_ count: Int) {
        let list = (expectation.parts.first?.path ?? []).reduce(root as DriftPlace?) { place, key in
            switch key {
            case .key(let name): place?.place(.member(name))
            case .index: place?.place(.element)
            }
        }
        list?.place(.element)?.note(.droppedItem, count: count, at: date)
    }

    /// Records a finding; a finding without a location is only counted.
    mutating func note(_ kind: DriftDetector.Report.Kind, at place: DriftPlace?) {
        switch kind {
        case .missing, .null, .otherType, .unknownCase, .undecodable: severeCount += 1
        case .unread: unreadCount += 1
        case .neverPresent, .droppedItem: break
        }
        guard let place else {
            omittedCount += 1
            return
        }
        place.note(kind, at: date)
    }

    /// Records a missing member.
    mutating func noteAbsence(_ key: String, isRequired: Bool, at place: DriftPlace) {
        guard !isMerged else { return }
        if isRequired, isDecoded { contradictsSchema = true }
        note(isRequired && !isDecoded ? .missing : .neverPresent, at: place.place(.member(key)))
    }

    /// Returns the location of a nested value; counts an omission and returns nil if the limit is reached.
    mutating func place(_ step: DriftPlace.Step, below place: DriftPlace) -> DriftPlace? {
        let found = place.place(step)
        if found == nil { omittedCount += 1 }
        return found
    }
}

extension BodyComparison {
    /// Compares a value with the parts of a body that start at or within it.
    mutating func compare(_ value: JSONValue, with parts: [BodyExpectation.Part], at place: DriftPlace) {
        let inner = parts.filter { !$0.path.isEmpty }
        let own = schema(ofAll: parts.filter(\.path.isEmpty).map { $0.fitting(value) })
        guard !inner.isEmpty else {
            if let own { compare(value, with: own.schema, isOptional: !own.isRequired, at: place) }
            return
        }
        switch value {
        case .object(let members):
            place.valueCount += 1
            compare(members, with: inner, own?.schema, at: place)
        case .array(let elements):
            place.valueCount += 1
            compare(elements, with: inner, own?.schema, at: place)
        default:
            place.valueCount += 1
            guard inner.contains(where: \.isRequired) else { return }
            if value.isNull { return note(.null, at: place) }
            let expected = if case .index? = inner.first?.path.first { "array" } else { "object" }
            note(.otherType(expected: expected, found: value.schemaTypeName), at: place)
        }
    }

    private mutating func compare(
        _ members: [String: JSONValue],
        with parts: [BodyExpectation.Part],
        _ own: JSONSchema?,
        at place: DriftPlace
    ) {
        var known: [String: [BodyExpectation.Part]] = [:]
        for part in parts {
            guard case .key(let name)? = part.path.first else { continue }
            if let key = Self.key(similarTo: name, in: members) {
                var rest = part
                rest.path.removeFirst()
                known[key, default: []].append(rest)
            } else if part.isRequired || part.schema.form != .any {
                // A field of any type, such as the link to the next page, may be absent.
                noteAbsence(name, isRequired: part.isRequired, at: place)
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
            if let child = self.place(.member(key), below: place) { compare(value, with: inner, at: child) }
        }
        let rest = members.filter { known[$0.key] == nil }
        guard let own else {
            for key in rest.keys { note(.unread, at: place.place(.member(key))) }
            return
        }
        if case .object(let properties) = own.form {
            compare(rest, with: properties.filter { known[$0.key] == nil }, isWhole: own.isWhole, at: place)
        } else {
            place.valueCount -= 1
            compare(.object(rest), with: own, at: place)
        }
    }

    private mutating func compare(
        _ elements: [JSONValue],
        with parts: [BodyExpectation.Part],
        _ own: JSONSchema?,
        at place: DriftPlace
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
                note(.missing, at: place.place(.element))
            }
        }
        for (index, element) in elements.enumerated() {
            guard let child = self.place(.element, below: place) else { return }
            var inner = known[index] ?? []
            switch own?.form {
            case .any?: inner.append(.init(schema: JSONSchema(.any), path: [], isRequired: false))
            case .array(let schema, _)?: inner.append(.init(schema: schema, path: [], isRequired: true))
            case .tuple(let schemas)? where schemas.indices.contains(index):
                inner.append(.init(schema: schemas[index], path: [], isRequired: true))
            default: break
            }
            if inner.isEmpty { note(.unread, at: child) } else { compare(element, with: inner, at: child) }
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

    /// Returns the member key that a path refers to: an exact match, or the only other spelling.
    private static func key(similarTo name: String, in members: [String: JSONValue]) -> String? {
        if members[name] != nil { return name }
        let folded = KeySpelling.folded(name)
        let similar = members.keys.filter { KeySpelling.folded($0) == folded }
        return similar.count == 1 ? similar[0] : nil
    }
}

/// The schemas that a call decodes from a body, learned once for each set of types, paths and decoder.
struct BodyExpectation: Sendable {
    /// The identity of an expectation.
    struct Key: Hashable, Sendable {
        private let types: [ObjectIdentifier]
        private let paths: [[EnvelopeKey]]
        private let mayBeOnlyItem: [Bool]
        private let decoder: String

        /// Creates the key of a response; returns nil if its decoder is not one of the supported JSON decoders.
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

        /// The schema of an item that the body can contain in place of a list; nil if it must contain the list.
        var onlyItem: JSONSchema?

        /// Returns the part with the schema that applies to a value.
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
    func learned(with response: InspectedResponse) -> BodyExpectation? {
        guard samples.count < Self.maximumSamples,
            let body = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: response.body)
        else { return nil }
        return BodyExpectation(response, samples: samples + [body])
    }

    /// Learns the schemas of the types that a response is decoded into.
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
