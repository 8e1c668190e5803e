import Waybill

/// The parts of a request that distinguish calls with the same method and path.
package struct RequestFeatures: Sendable {
    /// A named part of a request.
    package enum Name: Hashable, Sendable {
        case query(String)
        case field(HTTPField.Name)
        case member(String)
    }

    /// The values, keyed by name; nil for a part with an unknown value.
    package var values: [Name: String?] = [:]

    /// The media type of the body; nil for a request without a body.
    package var mediaType: String?

    /// Whether the body is an array; nil if unknown.
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

    /// Adds the members of a body if it is an object.
    package mutating func add(members document: JSONValue?) {
        for (key, value) in document?.objectValue ?? [:] {
            let isScalar = value.objectValue == nil && value.arrayValue == nil
            values[.member(key)] = .some(isScalar ? value.plainText : nil)
        }
    }

    /// Whether both requests have query items with the same names.
    func hasSameQueryNames(as other: RequestFeatures) -> Bool {
        func items(_ features: RequestFeatures) -> Set<Name> {
            Set(features.values.keys.filter { if case .query = $0 { true } else { false } })
        }
        return items(self) == items(other)
    }

    /// Whether both requests have parts with the same names, and the same media type.
    func hasSameNames(as other: RequestFeatures) -> Bool {
        mediaType == other.mediaType && Set(values.keys) == Set(other.values.keys)
    }
}

/// The location of a resource's entities and ids in the requests of one operation.
///
/// All operations of a resource share one collection of entities, regardless of their paths.
package struct EntityPlace: Sendable, Hashable {
    /// A part of a resource's path.
    package enum Segment: Sendable, Hashable {
        case literal(String)
        /// The value at an index of the operation's path values; nil if the operation's path does not contain it.
        case value(Int?)
    }

    /// The location of an entity's id.
    package enum ID: Sendable, Hashable {
        /// The value at an index of the path values.
        case path(Int)
        case query(String)
        /// The body member at a path.
        case member([EnvelopeKey])
    }

    /// The segments of the resource's path, each a list of literals and values.
    package let collection: [[Segment]]

    /// The path of the resource, with `{}` in place of values.
    package let template: String

    /// The location of the id; nil for an operation without one.
    package let id: ID?

    init?(_ outline: RequestOutline) {
        guard let resource = outline.resource else { return nil }
        let values = (outline.path?.pieces ?? []).compactMap(\.pathValue)
        template = ResolvedPath(resource).template
        var next = 0
        var segments: [[Segment]] = [[]]
        for piece in resource.pieces {
            if case .literal(let text) = piece {
                for (index, part) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                    if index > 0 { segments.append([]) }
                    if !part.isEmpty { segments[segments.count - 1].append(.literal(String(part))) }
                }
            } else if let value = piece.pathValue {
                let index = values[next...].firstIndex { $0.text == value.text && !$0.isID }
                if let index { next = index + 1 }
                segments[segments.count - 1].append(.value(index))
            }
        }
        collection = segments.filter { !$0.isEmpty }
        if let index = values.firstIndex(where: \.isID) {
            id = .path(index)
        } else if let item = outline.query.first(where: { $0.declared?.isID ?? false }) {
            id = .query(item.name)
        } else {
            id =
                outline.plan.settings[BodyMembers.self]?.members.lazy.compactMap { path, value in
                    if case .id = value { ID.member(path) } else { nil }
                }.first
        }
    }
}

extension Route.Path.Piece {
    /// The text of a path value, and whether it is the id of the operation's entity; nil for a literal.
    fileprivate var pathValue: (text: String, isID: Bool)? {
        switch self {
        case .value(let text, let value), .secret(let text, let value): (text, value.isID)
        case .segments(let segments): (segments.joined(separator: "/"), false)
        case .literal, .placeholder: nil
        }
    }
}
