/// A JSON Patch: operations that change a document, one after the other (RFC 6902).
///
/// ```swift
/// let patch = JSONPatch(from: ["name": "Lamp", "tags": ["a"]], to: ["name": "Lamp", "tags": ["a", "b"]])
/// // [{"op":"add","path":"/tags/1","value":"b"}]
/// let other: JSONPatch = [.test("/name", "Lamp"), .replace("/name", "Rug")]
/// ```
///
/// As the `Patch` of an entity it is sent as `application/json-patch+json`.
public struct JSONPatch: Sendable, Hashable {
    /// A change of one place in a document, or a check of it.
    public enum Operation: Sendable, Hashable {
        /// Adds a member, or an element before an index; `-` as the index is the end. A member that is there is
        /// replaced.
        case add(JSONPointer, JSONValue)
        /// Removes the value.
        case remove(JSONPointer)
        /// Replaces the value, which has to be there.
        case replace(JSONPointer, JSONValue)
        /// Removes the value of one place, and adds it at another.
        case move(from: JSONPointer, to: JSONPointer)
        /// Adds the value of one place at another.
        case copy(from: JSONPointer, to: JSONPointer)
        /// Checks that the value is equal to this one.
        case test(JSONPointer, JSONValue)
    }

    /// The operations, in their order.
    public var operations: [Operation]

    /// Creates a patch from operations.
    ///
    /// - Parameter operations: the operations in the order in which they are applied; none of them is checked here.
    public init(_ operations: [Operation]) { self.operations = operations }

    /// Creates the patch that turns one value into another; it has no operations if the two are equal.
    ///
    /// Objects are compared member by member, arrays element by element: what two arrays share at their beginnings and
    /// ends stays.
    ///
    /// - Parameters:
    ///   - old: the value that the server has.
    ///   - new: the value that it is to have.
    public init(from old: JSONValue, to new: JSONValue) {
        operations = []
        compare(old, new, at: JSONPointer())
    }

    private mutating func compare(_ old: JSONValue, _ new: JSONValue, at place: JSONPointer) {
        if old.isIdentical(to: new) { return }
        switch (old, new) {
        case (.object(let old), .object(let new)): compare(old, new, at: place)
        case (.array(let old), .array(let new)): compare(old[...], new[...], at: place)
        default: operations.append(.replace(place, new))
        }
    }

    private mutating func compare(_ old: [String: JSONValue], _ new: [String: JSONValue], at place: JSONPointer) {
        // Removals first: a key of other bytes that Swift takes for the same one is removed before it is added.
        for key in old.keys.sorted() where new.value(ofExactly: key) == nil {
            operations.append(.remove(place.appending(key)))
        }
        for (key, value) in new.sorted(by: { $0.key < $1.key }) {
            if let before = old.value(ofExactly: key) {
                compare(before, value, at: place.appending(key))
            } else {
                operations.append(.add(place.appending(key), value))
            }
        }
    }

    private mutating func compare(_ old: ArraySlice<JSONValue>, _ new: ArraySlice<JSONValue>, at place: JSONPointer) {
        let prefix = zip(old, new).prefix { $0.isIdentical(to: $1) }.count
        let (old, new) = (old.dropFirst(prefix), new.dropFirst(prefix))
        let suffix = zip(old.reversed(), new.reversed()).prefix { $0.isIdentical(to: $1) }.count
        let (removed, added) = (old.dropLast(suffix), new.dropLast(suffix))
        // Elements in both are compared first, while the indices are still those of the old array.
        for ((index, before), after) in zip(zip(removed.indices, removed), added) {
            compare(before, after, at: place.appending("\(index)"))
        }
        for index in removed.indices.dropFirst(added.count).reversed() {
            operations.append(.remove(place.appending("\(index)")))
        }
        for (index, value) in zip(added.indices, added).dropFirst(removed.count) {
            operations.append(.add(place.appending("\(index)"), value))
        }
    }
}

extension JSONPatch: ExpressibleByArrayLiteral {
    /// Creates a patch from operations.
    public init(arrayLiteral operations: Operation...) { self.init(operations) }
}

extension JSONPatch: Codable {
    /// Decodes an array of operations; an unknown operation, and one that lacks a member, is a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Operation].self))
    }

    /// Encodes an array of operations.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(operations)
    }
}

extension JSONPatch.Operation: Codable {
    private enum Key: String, CodingKey { case op, path, from, value }

    /// Decodes an operation; members that it does not have are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func pointer(_ key: Key) throws -> JSONPointer { try container.decode(JSONPointer.self, forKey: key) }
        // A null is a value, and a missing member an error.
        func value() throws -> JSONValue { try container.decode(JSONValue.self, forKey: .value) }
        let name = try container.decode(String.self, forKey: .op)
        switch name {
        case "add": self = .add(try pointer(.path), try value())
        case "remove": self = .remove(try pointer(.path))
        case "replace": self = .replace(try pointer(.path), try value())
        case "move": self = .move(from: try pointer(.from), to: try pointer(.path))
        case "copy": self = .copy(from: try pointer(.from), to: try pointer(.path))
        case "test": self = .test(try pointer(.path), try value())
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .op,
                in: container,
                debugDescription: "\(name.debugDescription) is not an operation of a JSON Patch (RFC 6902)."
            )
        }
    }

    /// Encodes the operation.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .op)
        try container.encode(path, forKey: .path)
        switch self {
        case .add(_, let value), .replace(_, let value), .test(_, let value):
            try container.encode(value, forKey: .value)
        case .move(let source, _), .copy(let source, _): try container.encode(source, forKey: .from)
        case .remove: break
        }
    }

    /// The name of the operation.
    var name: String {
        switch self {
        case .add: "add"
        case .remove: "remove"
        case .replace: "replace"
        case .move: "move"
        case .copy: "copy"
        case .test: "test"
        }
    }

    /// The place that the operation changes or checks.
    public var path: JSONPointer {
        switch self {
        case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path), .copy(_, let path),
            .test(let path, _):
            path
        }
    }
}
