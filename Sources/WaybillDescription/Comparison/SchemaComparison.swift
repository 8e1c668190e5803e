import Waybill

/// Compares a type of the client with a schema of a document, member by member.
struct SchemaComparison {
    /// The direction of the value.
    enum Direction {
        /// The client sends it.
        case request
        /// The client reads it.
        case response
    }

    /// A difference, without the call that it belongs to.
    struct Difference {
        var severity: Finding.Severity
        var path: String
        var place: String
        var reason: String
        var advice: String
    }

    let direction: Direction
    let definitions: [String: JSONSchema]
    let document: DocumentReader

    /// Returns the differences of a schema of the client and one of the document.
    func differences(_ schema: JSONSchema, _ json: JSONValue, at place: String) -> [Difference] {
        compare(schema, json, place, path: "", visited: [])
    }

    private func compare(
        _ schema: JSONSchema,
        _ json: JSONValue,
        _ place: String,
        path: String,
        visited: Set<String>
    ) -> [Difference] {
        var visited = visited
        if case .reference(let name) = schema.form {
            guard visited.insert("\(name) \(json["$ref"]?.stringValue ?? place)").inserted,
                var definition = definitions[name]
            else { return [] }
            definition.isNullable = definition.isNullable || schema.isNullable
            return compare(definition, json, place, path: path, visited: visited)
        }
        let other = DocumentSchema(json, at: place, in: document)
        let nulls = nullDifferences(schema, other, path: path)
        if !other.alternatives.isEmpty {
            return nulls + bestAlternative(schema, other, path: path, visited: visited)
        }
        return nulls + formDifferences(schema, other, path: path, visited: visited)
    }

    private func bestAlternative(
        _ schema: JSONSchema,
        _ other: DocumentSchema,
        path: String,
        visited: Set<String>
    ) -> [Difference] {
        // A response may be any of the alternatives; a request has to be one of them.
        let all = other.alternatives.map { compare(schema, $0.json, $0.place, path: path, visited: visited) }
        return all.min { $0.errorCount < $1.errorCount } ?? []
    }

    private func nullDifferences(_ schema: JSONSchema, _ other: DocumentSchema, path: String) -> [Difference] {
        switch direction {
        case .response where other.isNullable && !schema.isNullable && !schema.allowsAnything:
            [
                difference(
                    .error,
                    path,
                    other.place,
                    "the document allows null, and the type does not decode it",
                    "make the property optional"
                )
            ]
        default: []
        }
    }

    private func formDifferences(
        _ schema: JSONSchema,
        _ other: DocumentSchema,
        path: String,
        visited: Set<String>
    ) -> [Difference] {
        switch schema.form {
        case .object(let properties):
            guard accepts(["object"], other) else { return [typeDifference("an object", other, path)] }
            return members(properties, other, path: path, visited: visited)
        case .dictionary(let value, _):
            guard accepts(["object"], other) else { return [typeDifference("an object", other, path)] }
            return other.additional.map { compare(value, $0.json, $0.place, path: path + "[…]", visited: visited) }
                ?? []
        case .array(let element, _):
            guard accepts(["array"], other) else { return [typeDifference("an array", other, path)] }
            return other.items.map { compare(element, $0.json, $0.place, path: path + "[]", visited: visited) } ?? []
        case .tuple: return accepts(["array"], other) ? [] : [typeDifference("an array", other, path)]
        case .boolean: return accepts(["boolean"], other) ? [] : [typeDifference("a Boolean", other, path)]
        case .integer:
            let fits: Set = direction == .request ? ["integer", "number"] : ["integer"]
            return accepts(fits, other) ? [] : [typeDifference("an integer", other, path)]
        case .number:
            return accepts(["integer", "number"], other) ? [] : [typeDifference("a number", other, path)]
        case .string, .base64: return accepts(["string"], other) ? [] : [typeDifference("a string", other, path)]
        case .enumeration(let values, let isOpen):
            return enumDifferences(values, isOpen: isOpen, other, path: path)
        case .oneOf(let schemas), .anyOf(let schemas):
            let all = schemas.map { formDifferences($0, other, path: path, visited: visited) }
            return all.min { $0.errorCount < $1.errorCount } ?? []
        case .any, .null, .reference: return []
        }
    }

    private func members(
        _ properties: [JSONSchema.Property],
        _ other: DocumentSchema,
        path: String,
        visited: Set<String>
    ) -> [Difference] {
        var found: [Difference] = []
        let known = !other.properties.isEmpty
        for property in properties {
            let inner = path.isEmpty ? property.key : "\(path).\(property.key)"
            guard let promised = other.properties[property.key] else {
                if known || other.isClosed { found += unknownMember(property, other, inner) }
                continue
            }
            if direction == .response, property.isRequired, !other.required.contains(property.key) {
                found.append(
                    difference(
                        .warning,
                        inner,
                        promised.place,
                        "the type needs the member, and the document does not list it as required",
                        "make the property optional, or ask for the member to be required"
                    )
                )
            }
            found += compare(property.schema, promised.json, promised.place, path: inner, visited: visited)
        }
        let own = Set(properties.map(\.key))
        for name in other.properties.keys.sorted() where !own.contains(name) {
            found += direction == .response ? [unread(name, other, path)] : notSent(name, other, path)
        }
        if direction == .request {
            // Of a type that only encodes, a value is known, which does not say what may be absent.
            for property in properties
            where !property.isRequired && property.schema.origin != .sampled && other.required.contains(property.key) {
                let inner = path.isEmpty ? property.key : "\(path).\(property.key)"
                found.append(
                    difference(
                        .warning,
                        inner,
                        other.place,
                        "the document requires the member, and the type may leave it out",
                        "make the property one that is not optional"
                    )
                )
            }
        }
        return found
    }

    private func unknownMember(
        _ property: JSONSchema.Property,
        _ other: DocumentSchema,
        _ path: String
    ) -> [Difference] {
        switch direction {
        case .response:
            guard other.additional == nil else { return [] }
            return [
                difference(
                    property.isRequired ? .error : .warning,
                    path,
                    other.place,
                    property.isRequired
                        ? "the type needs the member, and the document does not promise it"
                        : "the type reads the member, and the document does not list it",
                    property.isRequired ? "check its name, or make the property optional" : "check its name"
                )
            ]
        case .request:
            guard other.additional == nil else { return [] }
            return [
                difference(
                    other.isClosed ? .error : .warning,
                    path,
                    other.place,
                    other.isClosed ? "the server rejects the member" : "the document does not list the member",
                    "check its name, or leave it out"
                )
            ]
        }
    }

    private func unread(_ name: String, _ other: DocumentSchema, _ path: String) -> Difference {
        difference(
            .information,
            path.isEmpty ? name : "\(path).\(name)",
            other.properties[name]?.place ?? other.place,
            "the client does not read the member",
            ""
        )
    }

    private func notSent(_ name: String, _ other: DocumentSchema, _ path: String) -> [Difference] {
        guard other.required.contains(name) else { return [] }
        return [
            difference(
                .error,
                path.isEmpty ? name : "\(path).\(name)",
                other.properties[name]?.place ?? other.place,
                "the document requires the member, and the client does not send it",
                "add it to the type of the body"
            )
        ]
    }

    private func enumDifferences(
        _ values: [JSONValue],
        isOpen: Bool,
        _ other: DocumentSchema,
        path: String
    ) -> [Difference] {
        let type = values.first?.stringValue == nil ? "integer" : "string"
        guard accepts([type], other) else { return [typeDifference("a value of \(type)s", other, path)] }
        guard let promised = other.values else { return [] }
        switch direction {
        case .response:
            let missing = promised.filter { !values.contains($0) }
            guard !missing.isEmpty, !isOpen else { return [] }
            return [
                difference(
                    .error,
                    path,
                    other.place,
                    "the document has \(missing.map(\.description).joined(separator: ", ")), which the enum lacks",
                    "add a case, or one for unknown values"
                )
            ]
        case .request:
            let rejected = values.filter { !promised.contains($0) }
            guard !rejected.isEmpty else { return [] }
            return [
                difference(
                    .error,
                    path,
                    other.place,
                    "the enum has \(rejected.map(\.description).joined(separator: ", ")), which the document lacks",
                    "take the case out"
                )
            ]
        }
    }

    private func accepts(_ types: Set<String>, _ other: DocumentSchema) -> Bool {
        if other.types.isEmpty { return true }
        // What comes has to be read whole; of what is sent, one accepted type is enough.
        return direction == .response ? other.types.isSubset(of: types) : !other.types.isDisjoint(with: types)
    }

    private func typeDifference(_ own: String, _ other: DocumentSchema, _ path: String) -> Difference {
        difference(
            .error,
            path,
            other.place,
            "the client \(direction == .response ? "reads" : "sends") \(own), and the document has "
                + other.types.sorted().joined(separator: " or "),
            "change the type of the property"
        )
    }

    private func difference(
        _ severity: Finding.Severity,
        _ path: String,
        _ place: String,
        _ reason: String,
        _ advice: String
    ) -> Difference {
        Difference(severity: severity, path: path, place: place, reason: reason, advice: advice)
    }
}

extension JSONSchema {
    /// Whether the schema says nothing of the value.
    fileprivate var allowsAnything: Bool {
        switch form {
        case .any, .null: true
        case .anyOf(let schemas): schemas.contains { $0.allowsAnything || $0.isNullable }
        default: false
        }
    }
}

extension [SchemaComparison.Difference] {
    fileprivate var errorCount: Int { count { $0.severity == .error } }
}
