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
