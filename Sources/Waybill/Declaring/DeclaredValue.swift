/// The type and name of a path or query value, for API descriptions.
///
/// All instances compare equal, so paths and query items compare by their text alone.
package struct DeclaredValue: Sendable, Hashable {
    /// The value's type before conversion to text.
    package let type: Any.Type

    /// The value's name in the declaration, if it has one.
    package let name: String?

    /// Whether the value is the id passed to a resource operation.
    package let isID: Bool

    package init(_ type: Any.Type, name: String? = nil, isID: Bool = false) {
        self.type = type
        self.name = name
        self.isID = isID
    }

    package static func == (left: Self, right: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// The id passed to a resource operation, in the forms used in the path, the query and the body.
package struct OperationID: Sendable {
    /// The id's text, not percent-encoded.
    package let segment: String

    /// Returns the id as a value with the same encoding as in the entity.
    package let value: @Sendable () -> any Encodable

    /// The id's type, for API descriptions.
    package let declared: DeclaredValue

    /// Creates an id from a value.
    ///
    /// If the type is not `Encodable`, bodies contain the id's text.
    package init<ID: PathSegmentConvertible & Sendable>(_ id: ID) {
        segment = id.segmentText
        declared = DeclaredValue(ID.self, isID: true)
        value = { (id as? any Encodable) ?? id.segmentText }
    }

    package init(segment: String, declared: DeclaredValue, value: @escaping @Sendable () -> any Encodable) {
        self.segment = segment
        self.declared = declared
        self.value = value
    }
}
