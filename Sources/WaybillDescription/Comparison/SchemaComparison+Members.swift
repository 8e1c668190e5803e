import Waybill
import WaybillJSON

extension SchemaComparison {
    /// Returns the differences between the members of a client's object and a document's object.
    mutating func memberDifferences(
        _ properties: [JSONSchema.Property],
        _ other: DocumentSchema
    ) -> [Difference] {
        var found: [Difference] = []
        let properties = properties.map { spelled($0, as: other) }
        for property in properties {
            guard let listed = other.properties[property.key] else {
                found += unlistedDifferences(property, other).map { $0.below(member: property.key) }
                continue
            }
            if let forbidden = listed.first(where: { $0.json == false }) {
                found += forbiddenDifferences(property, forbidden).map { $0.below(member: property.key) }
                continue
            }
            if let absence = absenceDifference(property, listed, other) {
                found.append(absence.below(member: property.key))
            }
            found += compare(property.schema, listed).map { $0.below(member: property.key) }
        }
        let own = Set(properties.map(\.key))
        if !isResponse { found += dependentDifferences(own, other) }
        let others = isResponse ? Set(other.properties.keys) : other.required
        for name in others.subtracting(own).sorted() where !(isResponse && other.forbids(name)) {
            if let difference = otherMemberDifference(name, other) { found.append(difference.below(member: name)) }
        }
        return found
    }

    /// Returns a member with the document's spelling of its key, if the decoder accepts that spelling.
    private func spelled(_ property: JSONSchema.Property, as other: DocumentSchema) -> JSONSchema.Property {
        guard isResponse, other.properties[property.key] == nil else { return property }
        if case .useDefaultKeys = keys { return property }
        let own = keys.converting(property.key, in: [])
        guard let key = other.properties.keys.sorted().first(where: { keys.converting($0, in: []) == own }) else {
            return property
        }
        var spelled = property
        spelled.key = key
        return spelled
    }

    /// Returns the difference if one side can omit a member that the other requires; otherwise nil.
    private func absenceDifference(
        _ property: JSONSchema.Property,
        _ listed: [LocatedSchema],
        _ other: DocumentSchema
    ) -> Difference? {
        let isListedAsRequired =
            other.required.contains(property.key)
            && (isResponse || !listed.contains { $0.json["readOnly"] == true })
        switch direction {
        case .response where property.isRequired && !isListedAsRequired:
            return Difference(
                severity: .warning,
                place: listed.first?.place ?? other.place,
                reason: "the type requires the member, but the document does not list it as required",
                advice: "make the property optional, or have the document list the member as required"
            )
        // A sampled value does not reveal which members can be absent.
        case .request where !property.isRequired && isListedAsRequired && property.schema.origin != .sampled:
            return Difference(
                severity: .warning,
                place: other.place,
                reason: "the document requires the member, but the type can omit it",
                advice: "make the property non-optional"
            )
        default: return nil
        }
    }

    /// Returns the differences for a member whose schema in the document is `false`.
    private func forbiddenDifferences(_ property: JSONSchema.Property, _ forbidden: LocatedSchema) -> [Difference] {
        guard direction != .partialResponse, !isResponse || property.isRequired else { return [] }
        return [
            Difference(
                severity: .error,
                place: forbidden.place,
                reason: isResponse
                    ? "the type requires the member, but the document forbids it" : "the server rejects the member",
                advice: isResponse ? "make the property optional" : "remove it"
            )
        ]
    }

    /// Returns the differences for unsent members that the document requires together with sent ones.
    private func dependentDifferences(_ own: Set<String>, _ other: DocumentSchema) -> [Difference] {
        other.dependents.filter { own.contains($0.key) }.sorted { $0.key < $1.key }.flatMap { name, needed in
            needed.subtracting(own).sorted().map { missing in
                Difference(
                    severity: .error,
                    place: other.place,
                    reason: "the document requires the member together with \(name), but the client does not send it",
                    advice: "add it to the body's type"
                ).below(member: missing)
            }
        }
    }

    /// Returns the differences for a member that only the client lists.
    private mutating func unlistedDifferences(
        _ property: JSONSchema.Property,
        _ other: DocumentSchema
    ) -> [Difference] {
        let found = other.additional.isEmpty ? [] : compare(property.schema, other.additional)
        guard other.isClosed || !other.properties.isEmpty else { return found }
        let similar = SimilarKeys.nearest(to: property.key, among: other.properties.keys.sorted())
        let name = similar.map { "did you mean \"\($0)\"?" }
        switch direction {
        case .partialResponse: return found
        case .response:
            let isPaging = property.schema.origin == .paging
            guard property.isRequired || !other.isOpen, !other.required.contains(property.key) else { return found }
            return found + [
                Difference(
                    severity: property.isRequired && !other.isOpen ? .error : .warning,
                    place: other.place,
                    reason: property.isRequired
                        ? "the type requires the member, but the document does not list it"
                        : "the \(isPaging ? "pagination scheme" : "type") reads the member, "
                            + "but the document does not list it",
                    advice: name ?? "check its name" + (property.isRequired ? ", or make the property optional" : ""),
                    isAbsence: !property.isRequired
                )
            ]
        case .request, .text:
            guard other.isClosed || !other.isOpen else { return found }
            return found + [
                Difference(
                    severity: other.isClosed ? .error : .warning,
                    place: other.place,
                    reason: other.isClosed ? "the server rejects the member" : "the document does not list the member",
                    advice: name ?? "check its name, or remove it"
                )
            ]
        }
    }

    /// Returns the difference for a member that only the document lists.
    ///
    /// The result is nil for a read-only member of a request, or a write-only member of a response.
    private func otherMemberDifference(_ name: String, _ other: DocumentSchema) -> Difference? {
        let listed = other.properties[name] ?? []
        // One schema can describe both requests and responses.
        if listed.contains(where: { $0.json[isResponse ? "writeOnly" : "readOnly"] == true }) { return nil }
        return Difference(
            severity: isResponse ? .information : .error,
            place: listed.first?.place ?? other.place,
            reason: isResponse
                ? "the client does not read the member"
                : "the document requires the member, but the client does not send it",
            advice: isResponse ? "" : "add it to the body's type"
        )
    }
}

extension DocumentSchema {
    /// Whether the schema of a member is `false`.
    fileprivate func forbids(_ name: String) -> Bool { properties[name]?.contains { $0.json == false } ?? false }
}
