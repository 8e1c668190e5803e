/// The type of a value in a path or a query, and its name; descriptions of an API read it.
///
/// All are equal: two paths are the same if their texts are.
package struct DeclaredValue: Sendable, Hashable {
    /// The type before the value became a text.
    package let type: Any.Type

    /// The name that the declaration gives the value.
    package let name: String?

    /// Whether the value is the id that an operation of a resource is called with.
    package let isID: Bool

    package init(_ type: Any.Type, name: String? = nil, isID: Bool = false) {
        self.type = type
        self.name = name
        self.isID = isID
    }

    package static func == (left: Self, right: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// The id that an operation of a resource is called with, for the path, the query and the body.
package struct OperationID: Sendable {
    /// The text, not encoded.
    package let segment: String

    /// Gives the id as a value that encodes itself as the entity's does.
    package let value: @Sendable () -> any Encodable

    /// The type, for descriptions.
    package let declared: DeclaredValue

    /// Creates an id of any type; one that is not `Encodable` is text in a body.
    package init<ID: PathSegmentConvertible & Sendable>(_ id: ID) {
        segment = id.segmentText
        declared = DeclaredValue(ID.self, isID: true)
        value = { (id as? any Encodable) ?? id.segmentText }
    }

    init(segment: String, declared: DeclaredValue, value: @escaping @Sendable () -> any Encodable) {
        self.segment = segment
        self.declared = declared
        self.value = value
    }
}
