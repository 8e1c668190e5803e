import Waybill
import WaybillJSON

extension BodyComparison {
    /// Compares a value at which several parts of a body begin or pass.
    mutating func compare(_ value: JSONValue, with parts: [BodyExpectation.Part], at place: DriftPlace) {
        let inner = parts.filter { !$0.path.isEmpty }
        let own = schema(ofAll: parts.filter(\.path.isEmpty))
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
                // A field of any type, such as that of the next page, may be missing.
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

    /// Returns the schema of a value that several parts decode; nil for none.
    private func schema(ofAll parts: [BodyExpectation.Part]) -> (schema: JSONSchema, isRequired: Bool)? {
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else { return (first.schema, first.isRequired) }
        let schemas = parts.compactMap { expectation.document.resolving($0.schema) }
        // A part that takes everything decodes all members.
        if let whole = schemas.first(where: { $0.form == .any }), schemas.count == parts.count {
            let typed = schemas.first { $0.form != .any } ?? whole
            if case .object = typed.form { return (whole, false) }
            return (typed, parts.contains(where: \.isRequired))
        }
        let merged = schemas.dropFirst().reduce(schemas.first ?? first.schema) { $0.merging($1) }
        return (merged, parts.contains(where: \.isRequired))
    }

    /// Returns the key by which a path finds a member: the same, or the only other spelling.
    private static func key(similarTo name: String, in members: [String: JSONValue]) -> String? {
        if members[name] != nil { return name }
        let folded = KeySpelling.folded(name)
        let similar = members.keys.filter { KeySpelling.folded($0) == folded }
        return similar.count == 1 ? similar[0] : nil
    }
}
