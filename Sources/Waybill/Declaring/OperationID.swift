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
}
