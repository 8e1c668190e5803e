import Waybill

/// The parts of a request by which calls with one method and path are told apart.
package struct RequestFeatures: Sendable {
    /// A part of a request that has a name.
    package enum Name: Hashable, Sendable {
        case query(String)
        case field(HTTPField.Name)
        case member(String)
    }

    /// The values by their names; nil for a value that is only known to be there.
    package var values: [Name: String?] = [:]

    /// The media type of the body; nil for a request without one.
    package var mediaType: String?

    /// Whether the body is an array; nil if it is not known.
    package var isArray: Bool?

    package init() {}

    init(_ outline: RequestOutline, example: JSONValue?, isBatch: Bool) {
        for item in outline.query {
            let value = item.pieces?.joined(separator: ",") ?? ""
            values[.query(item.name)] = .some(item.declared?.isID == true ? nil : value)
        }
        let others: Set<HTTPField.Name> = [.authorization, .contentType]
        for field in outline.headerFields where !others.contains(field.name) {
            values[.field(field.name)] = .some(field.value)
        }
        mediaType = outline.plan.headerFields[.contentType].map { MediaType($0).essence }
        add(members: example)
        for (path, value) in outline.plan.settings[BodyMembers.self]?.members ?? [] {
            if case .id = value, case .key(let name) = path.first { values[.member(name)] = .some(nil) }
        }
        isArray = isBatch ? true : example.map { $0.arrayValue != nil }
    }

    /// Adds the members of a body that is an object.
    package mutating func add(members document: JSONValue?) {
        for (key, value) in document?.objectValue ?? [:] {
            let isScalar = value.objectValue == nil && value.arrayValue == nil
            values[.member(key)] = .some(isScalar ? value.stringValue ?? value.description : nil)
        }
    }

    /// Whether requests with these features have the same items of the query as others.
    func hasItems(of other: RequestFeatures) -> Bool {
        func items(_ features: RequestFeatures) -> Set<Name> {
            Set(features.values.keys.filter { if case .query = $0 { true } else { false } })
        }
        return items(self) == items(other)
    }

    /// Whether requests with these features have the same names and media type as others.
    func hasNames(of other: RequestFeatures) -> Bool {
        mediaType == other.mediaType && Set(values.keys) == Set(other.values.keys)
    }
}
