import WaybillJSON

/// The content of a body at a path; without one, the point at which the path breaks off.
package enum PlaceContent: Sendable {
    /// A value other than null.
    case value(JSONValue)
    /// Null, or a step of the path is null.
    case null
    /// The step of the path at the index is missing from an object or an array: the names of the object's members that
    /// are not null, if they were asked for.
    case missing(index: Int, names: [String])
    /// The value in front of the step at the index has no members, or no elements: what it is in words.
    case blocked(index: Int, kind: String)

    /// The value; nil for null and for a missing one.
    package var value: JSONValue? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Whether there is neither a value nor null.
    package var isMissing: Bool {
        switch self {
        case .value, .null: false
        case .missing, .blocked: true
        }
    }

    /// Reads the content.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - findsNames: whether the names beside a missing value are wanted.
    ///   - value: returns the value at a path; nil for none, and for null.
    ///   - parent: returns the kind of the value at a path, and its names; nil for none, and for null.
    /// - Throws: the error of `value`.
    init(
        at path: [EnvelopeKey],
        findsNames: Bool,
        value: ([EnvelopeKey]) throws -> JSONValue?,
        parent: (ArraySlice<EnvelopeKey>) -> PathParent?
    ) throws {
        if let value = try value(path) {
            self = .value(value)
            return
        }
        var index = path.count
        while index > 0 {
            index -= 1
            guard let found = parent(path[..<index]) else { continue }
            self = Self(found, at: path[index], index, findsNames: findsNames)
            return
        }
        self = .null
    }

    private init(_ parent: PathParent, at step: EnvelopeKey, _ index: Int, findsNames: Bool) {
        switch (parent, step) {
        case (.object(let names, let nullNames), .key(let key)):
            let key = KeySpelling.folded(key)
            let isNull = nullNames.contains { KeySpelling.folded($0) == key }
            self = isNull ? .null : .missing(index: index, names: findsNames ? names : [])
        case (.other(let kind), .key): self = .blocked(index: index, kind: kind)
        // An array may be shorter than the index.
        case (.other(let kind), .index) where kind != PathParent.array: self = .blocked(index: index, kind: kind)
        case (.object(let names, let nulls), .index) where !names.isEmpty || !nulls.isEmpty:
            self = .blocked(index: index, kind: "an object")
        default: self = .missing(index: index, names: [])
        }
    }
}

/// The value in front of a step of a path: whether it has members, and which.
enum PathParent: Decodable {
    /// An object, by the names of its members: those that have a value, and those that are null.
    case object(names: [String], nullNames: [String])
    /// False, or an empty text or array: servers write them for an object without members.
    case empty
    /// Anything else, in words.
    case other(String)

    /// An array in words.
    static let array = "an array"

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: EnvelopeCodingKey.self) {
            let keys = members.allKeys
            let nulls = try keys.map { try members.decodeNil(forKey: $0) }
            self = .object(
                names: zip(keys, nulls).filter { !$1 }.map(\.0.stringValue),
                nullNames: zip(keys, nulls).filter { $1 }.map(\.0.stringValue)
            )
        } else if let elements = try? decoder.unkeyedContainer() {
            self = elements.isAtEnd ? .empty : .other(Self.array)
        } else {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                self = flag ? .other("a boolean") : .empty
            } else if let text = try? value.decode(String.self) {
                self = text.isEmpty ? .empty : .other("text")
            } else {
                self = .other("a number")
            }
        }
    }
}
