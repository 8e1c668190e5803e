import WaybillJSON

/// The content of a body at a path, or the index of the component that has no value.
package enum PlaceContent: Sendable {
    /// A value other than null.
    case value(JSONValue)
    /// Null, at the path or at one of its prefixes.
    case null
    /// An object or array lacks the component at this index. `names` contains the object's non-null members, if
    /// requested.
    case missing(index: Int, names: [String])
    /// The value before the component at this index cannot have members or elements. `kind` describes that value.
    case blocked(index: Int, kind: String)

    /// The value; nil if it is null or missing.
    package var value: JSONValue? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Whether the path leads neither to a value nor to null.
    package var isMissing: Bool {
        switch self {
        case .value, .null: false
        case .missing, .blocked: true
        }
    }

    /// Reads the content.
    ///
    /// - Parameters:
    ///   - path: the path to read.
    ///   - findsNames: whether to collect the names of an object's members if the path ends at a missing member.
    ///   - value: a closure that returns the value at a path; nil if it is null or missing.
    ///   - parent: a closure that returns the kind and the member names of the value at a path; nil if it is null or
    ///     missing.
    /// - Throws: the error thrown by `value`.
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
        // An array does not block the path: it may just be too short.
        case (.other(let kind), .index) where kind != PathParent.array: self = .blocked(index: index, kind: kind)
        case (.object(let names, let nulls), .index) where !names.isEmpty || !nulls.isEmpty:
            self = .blocked(index: index, kind: "an object")
        default: self = .missing(index: index, names: [])
        }
    }
}

/// The kind and member names of the value before a path component.
enum PathParent: Decodable {
    /// An object, with the names of its non-null and null members.
    case object(names: [String], nullNames: [String])
    /// `false`, an empty string or an empty array, which some servers send for an empty object.
    case empty
    /// Any other value, as a description of its kind.
    case other(String)

    /// The description of an array.
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
