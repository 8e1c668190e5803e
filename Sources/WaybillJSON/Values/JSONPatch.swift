/// A JSON Patch (RFC 6902): a sequence of operations on a document.
///
/// ```swift
/// let patch = JSONPatch(from: ["name": "Lamp", "tags": ["a"]], to: ["name": "Lamp", "tags": ["a", "b"]])
/// // [{"op":"add","path":"/tags/1","value":"b"}]
/// let other: JSONPatch = [.test("/name", "Lamp"), .replace("/name", "Rug")]
/// ```
///
/// An entity whose `Patch` is this type sends it as `application/json-patch+json`.
public struct JSONPatch: Sendable, Hashable {
    /// A change to a document, or a check of one of its values.
    public enum Operation: Sendable, Hashable {
        /// Adds or replaces a member of an object, or inserts an element before an index of an array; the index `-`
        /// appends.
        case add(JSONPatch.Pointer, JSONValue)
        /// Removes a value.
        case remove(JSONPatch.Pointer)
        /// Replaces an existing value.
        case replace(JSONPatch.Pointer, JSONValue)
        /// Removes the value at one location and adds it at another.
        case move(from: JSONPatch.Pointer, to: JSONPatch.Pointer)
        /// Copies the value at one location to another.
        case copy(from: JSONPatch.Pointer, to: JSONPatch.Pointer)
        /// Checks that the value at a location equals the given one.
        case test(JSONPatch.Pointer, JSONValue)
    }

    /// The operations, in order of application.
    public var operations: [Operation]

    /// Creates a patch from operations.
    ///
    /// - Parameter operations: the operations, in order of application; they are not validated.
    public init(_ operations: [Operation]) { self.operations = operations }

    /// Creates the patch that turns one value into another; it is empty if the two are equal.
    ///
    /// Objects are compared member by member. Arrays are compared element by element between their common prefix and
    /// suffix.
    ///
    /// - Parameters:
    ///   - old: the server's current value.
    ///   - new: the desired value.
    public init(from old: JSONValue, to new: JSONValue) {
        operations = []
        compare(old, new, at: JSONPatch.Pointer())
    }

    private mutating func compare(_ old: JSONValue, _ new: JSONValue, at place: JSONPatch.Pointer) {
        if old.isIdentical(to: new) { return }
        switch (old, new) {
        case (.object(let old), .object(let new)): compare(old, new, at: place)
        case (.array(let old), .array(let new)): compare(old[...], new[...], at: place)
        default: operations.append(.replace(place, new))
        }
    }

    private mutating func compare(_ old: [String: JSONValue], _ new: [String: JSONValue], at place: JSONPatch.Pointer) {
        // Removals come first: a new key can equal an old one in Swift but consist of different bytes. The old one must
        // be removed before the new one is added.
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

    private mutating func compare(
        _ old: ArraySlice<JSONValue>,
        _ new: ArraySlice<JSONValue>,
        at place: JSONPatch.Pointer
    ) {
        let prefix = zip(old, new).prefix { $0.isIdentical(to: $1) }.count
        let (old, new) = (old.dropFirst(prefix), new.dropFirst(prefix))
        let suffix = zip(old.reversed(), new.reversed()).prefix { $0.isIdentical(to: $1) }.count
        let (removed, added) = (old.dropLast(suffix), new.dropLast(suffix))
        // Paired elements are compared first, while the indices still match the old array.
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
    ///
    /// - Parameter operations: the operations, in order of application.
    public init(arrayLiteral operations: Operation...) { self.init(operations) }
}

extension JSONPatch: Codable {
    /// Decodes an array of operations.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the JSON has a different structure.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Operation].self))
    }

    /// Encodes an array of operations.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error thrown by the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(operations)
    }
}

extension JSONPatch.Operation: Codable {
    private enum Key: String, CodingKey { case op, path, from, value }

    /// Decodes an operation, ignoring unknown members; throws `DecodingError` for an unknown operation or a missing
    /// member.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the JSON has a different structure.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func pointer(_ key: Key) throws -> JSONPatch.Pointer {
            try container.decode(JSONPatch.Pointer.self, forKey: key)
        }
        // `null` is a valid value; a missing member is an error.
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
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error thrown by the encoder.
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

    /// The value of the operation's `op` member.
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

    /// The location to change or check.
    public var path: JSONPatch.Pointer {
        switch self {
        case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path), .copy(_, let path),
            .test(let path, _):
            path
        }
    }
}
