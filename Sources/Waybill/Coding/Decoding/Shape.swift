import WaybillSystem

/// The properties of a value's type that determine how to read its envelope.
package struct Shape: Sendable {
    /// Whether the type is a list or an optional list.
    let isList: Bool

    /// Whether the type is optional.
    let isOptional: Bool

    private init(_ type: Any.Type) {
        isList = Self.isList(type)
        isOptional = type is any AbsentValue.Type
    }

    /// Whether the type is a list or an optional list.
    package static func isList(_ type: Any.Type) -> Bool {
        type is any _ListValue.Type || ((type as? any AbsentValue.Type)?.wrappedType).map { isList($0) } ?? false
    }

    // Cached: each conformance lookup costs about 500 instructions, and programs use few types.
    private static let known = Locked<[ObjectIdentifier: Shape]>([:])

    /// Returns the shape of a type, computed once for each type.
    static func of(_ type: Any.Type) -> Shape {
        known.withLock { known in
            if let shape = known[ObjectIdentifier(type)] { return shape }
            let shape = Shape(type)
            known[ObjectIdentifier(type)] = shape
            return shape
        }
    }
}
