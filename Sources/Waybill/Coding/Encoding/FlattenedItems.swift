import WaybillJSON
import WaybillSystem

/// An ``EncodedValue`` as named items in their order, as queries and forms consist of.
///
/// Keys below the first are written in brackets: `filter[price][min]`. Names and texts are not percent-encoded.
package struct FlattenedItems: Sendable {
    /// A name and its text.
    package struct Item: Sendable {
        /// The name, such as `filter[price][min]`.
        package var name: String

        /// The text in its pieces, between which commas belong; one piece, unless an array is comma-separated.
        ///
        /// They are kept apart so that a comma inside a piece can be percent-encoded and those between them not.
        package var pieces: [String]

        /// The type of the leaf; nil for a null, and for a value without elements.
        package var type: Any.Type?

        /// The style of the array whose elements the item holds; nil for a single value.
        package var arrayStyle: FormStyle.Arrays?

        /// The text, not encoded.
        package var value: String { pieces.joined(separator: ",") }

        /// Creates an item.
        package init(
            name: String,
            pieces: [String],
            type: Any.Type? = nil,
            arrayStyle: FormStyle.Arrays? = nil
        ) {
            self.name = name
            self.pieces = pieces
            self.type = type
            self.arrayStyle = arrayStyle
        }
    }

    /// The items.
    package private(set) var items: [Item] = []

    private let arrays: FormStyle.Arrays
    private let nulls: FormStyle.Nulls
    private let names: KeyNames
    private let empties: FormStyle.Empties?
    private let format: LeafFormat

    /// Flattens a value.
    ///
    /// - Parameters:
    ///   - value: an object; with a `name`, any value.
    ///   - name: the name of the value itself, if it has one; keys are then written in brackets from the first on.
    ///   - arrays: the form of arrays' elements.
    ///   - nulls: the text of null; if it is omitted, an array is written as if it did not have that element.
    ///   - names: the names of the keys of objects; those of dictionaries are data and stay as they are.
    ///   - empties: the items of objects and arrays without elements; nil for an array as the style can write it.
    ///   - format: the format of leaves.
    /// - Throws: `EncodingError.invalidValue`, with its path, for a value without a name that is not an object; for an
    ///   array of objects or arrays in a style other than ``FormStyle/Arrays/indexed``; for a leaf that the format has
    ///   no text for; for an object or an array without elements that cannot be written.
    package init(
        _ value: EncodedValue,
        named name: String? = nil,
        arrays: FormStyle.Arrays = .repeated,
        nulls: FormStyle.Nulls = .empty,
        names: KeyNames = KeyNames(),
        empties: FormStyle.Empties? = .omitted,
        format: LeafFormat = .standard
    ) throws {
        self.arrays = arrays
        self.nulls = nulls
        self.names = names
        self.empties = empties
        self.format = format
        if let name {
            try append(value, Place(name: name, path: [EncodedValue.Key(stringValue: name)]))
        } else if let members = value.members {
            for member in members {
                let path = [EncodedValue.Key(stringValue: member.key)]
                try append(member.value, Place(name: self.name(of: member.key, in: value, at: path), path: path))
            }
        } else {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: [],
                    debugDescription: "Only an object has names for its values, and \(value.words) does not; "
                        + "encode a struct or a dictionary."
                )
            )
        }
    }

    /// The place of a value: the name of its item, and its path.
    private struct Place {
        var name: String
        var path: [EncodedValue.Key]

        func path(to key: String) -> [EncodedValue.Key] { path + [EncodedValue.Key(stringValue: key)] }

        func element(_ index: Int, brackets: String = "") -> Place {
            Place(name: name + brackets, path: path + [EncodedValue.Key(intValue: index)])
        }
    }

    private mutating func append(_ value: EncodedValue, _ place: Place) throws {
        switch value {
        case .object(let members), .dictionary(let members):
            if members.isEmpty { try appendEmpty(value, place) }
            for member in members {
                let path = place.path(to: member.key)
                let name = try self.name(of: member.key, in: value, at: path)
                try append(member.value, Place(name: "\(place.name)[\(name)]", path: path))
            }
        case .array(let elements):
            let written = nulls == .omitted ? elements.filter { !$0.isNull } : elements
            if written.isEmpty { try appendEmpty(value, place) }
            try append(written, place)
        case .null, .leaf:
            guard let text = try text(of: value, place) else { return }
            items.append(Item(name: place.name, pieces: [text], type: value.leafType))
        }
    }

    /// Appends the item of an object or an array without elements.
    private mutating func appendEmpty(_ value: EncodedValue, _ place: Place) throws {
        let (isArray, name): (Bool, String)
        if case .array = value {
            (isArray, name) = (true, place.name + (arrays == .brackets ? "[]" : ""))
        } else {
            (isArray, name) = (false, place.name)
        }
        switch empties {
        case .omitted: break
        case .empty: items.append(Item(name: name, pieces: [""]))
        case .text(let text): items.append(Item(name: place.name, pieces: [text]))
        case nil:
            guard isArray, arrays == .brackets || arrays == .commaSeparated else {
                throw invalid(
                    value,
                    at: place,
                    "\(value.words) without elements cannot be written\(isArray ? " in the style \(arrays)" : ""), and"
                        + " without an item the server would keep what it has; declare an item for it, or none:"
                        + " Bodies(as: .form(empties: .empty)) or .omitted."
                )
            }
            items.append(Item(name: name, pieces: [""]))
        }
    }

    private func name(of key: String, in parent: EncodedValue, at path: [EncodedValue.Key]) throws -> String {
        if case .object = parent { try names.name(at: path) } else { key }
    }

    private mutating func append(_ elements: [EncodedValue], _ place: Place) throws {
        guard arrays != .indexed else {
            for (index, element) in elements.enumerated() {
                try append(element, place.element(index, brackets: "[\(index)]"))
            }
            return
        }
        let pieces = try elements.enumerated().compactMap { index, element in
            try text(of: element, place.element(index))
        }
        let type = elements.lazy.compactMap(\.leafType).first
        func element(_ name: String, _ pieces: [String]) -> Item {
            Item(name: name, pieces: pieces, type: type, arrayStyle: arrays)
        }
        switch arrays {
        case .commaSeparated:
            if !pieces.isEmpty { items.append(element(place.name, pieces)) }
        case .repeated, .brackets, .indexed:
            let name = place.name + (arrays == .brackets ? "[]" : "")
            items += pieces.map { element(name, [$0]) }
        }
    }

    /// Returns the text of a value without parts; nil for a null that is left out.
    private func text(of value: EncodedValue, _ place: Place) throws -> String? {
        switch value {
        case .null:
            return nulls.text
        case .leaf(let leaf):
            do {
                return try format.text(of: leaf)
            } catch let error as LeafFormat.Unsupported {
                // A date so far off that it has no text makes Foundation trap when the error is printed.
                let value: Any = (leaf as? Date).map(\.timeIntervalSince1970) ?? leaf
                throw invalid(value, at: place, "\(error).")
            }
        case .object, .dictionary, .array:
            throw invalid(
                value,
                at: place,
                "\(value.words) inside an array cannot be written in the style \(arrays); use the style indexed."
            )
        }
    }

    private func invalid(_ value: Any, at place: Place, _ reason: String) -> EncodingError {
        .invalidValue(
            value,
            .init(codingPath: place.path, debugDescription: "\(CodingPathText.text(of: place.path)): \(reason)")
        )
    }
}

/// The format of an ``EncodedValue``'s leaves as text.
package struct LeafFormat: Sendable {
    /// Thrown by a format for a value that it has no text for; the caller adds the value's place.
    package struct Unsupported: Error, CustomStringConvertible {
        /// The reason, such as `NaN is not a number that can be written`.
        package let description: String

        /// Creates the error.
        package init(_ description: String) { self.description = description }
    }

    private let format: @Sendable (any Encodable & Sendable) throws -> String

    /// Creates a format; it throws ``Unsupported`` if it has no text for a value.
    package init(_ format: @escaping @Sendable (any Encodable & Sendable) throws -> String) { self.format = format }

    /// Returns the text of a leaf.
    package func text(of leaf: any Encodable & Sendable) throws -> String { try format(leaf) }

    /// `true` and `false`, numbers in their shortest form, dates as RFC 3339 has them, data in Base64, UUIDs in
    /// lower case.
    ///
    /// ```text
    /// 30.0        → 30
    /// 0.1         → 0.1
    /// 1e21        → 1e21
    /// Date        → 2024-12-31T23:59:59Z, with milliseconds if it has any: 2024-12-31T23:59:59.250Z
    /// Data        → SGVsbG8=
    /// ```
    ///
    /// Infinity, NaN, dates outside of the years 0 to 9999 and leaves of any other type have no text.
    package static let standard = LeafFormat { leaf in
        switch leaf {
        case let value as String: return value
        case let value as Bool: return value ? "true" : "false"
        case let value as Double: return try text(of: value)
        case let value as Float: return try text(of: value)
        case let value as Decimal:
            guard !value.isNaN else { throw Unsupported("NaN is not a number that can be written") }
            return value.description
        case let value as Date: return try text(of: value)
        case let value as Data: return value.base64EncodedString()
        case let value as URL: return value.absoluteString
        case let value as UUID: return value.lowercaseText
        case let value as any FixedWidthInteger: return "\(value)"
        default: throw Unsupported("a value of type \(type(of: leaf)) has no text")
        }
    }

    package static func text(of value: some BinaryFloatingPoint & LosslessStringConvertible) throws -> String {
        guard value.isFinite else { throw Unsupported("\(value) is not a number that can be written") }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text.replacing("e+", with: "e")
    }

    private static func text(of date: Date) throws -> String {
        guard let text = ISO8601.zonedText(from: date) else {
            throw Unsupported(ISO8601.reason(against: date))
        }
        return text
    }
}

/// The names that a key strategy of Foundation's encoder gives to the keys of objects.
package struct KeyNames: Sendable {
    private let strategy: JSONEncoder.KeyEncodingStrategy

    /// Creates the names of a strategy.
    package init(_ strategy: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys) { self.strategy = strategy }

    /// Returns the name of the key that ends a coding path.
    ///
    /// - Throws: `EncodingError` if the strategy's encoder writes no key.
    func name(at path: [EncodedValue.Key]) throws -> String {
        let key = path.last?.stringValue ?? ""
        switch strategy {
        case .useDefaultKeys: return key
        case .custom(let convert): return convert(path).stringValue
        default:
            // Foundation knows its own rules best, and keys of forms are few.
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = strategy
            let names = try JSONDecoder().decode([String: Int].self, from: encoder.encode(Probe(key: key)))
            return names.keys.first ?? key
        }
    }

    private struct Probe: Encodable {
        let key: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: EncodedValue.Key.self)
            try container.encode(0, forKey: EncodedValue.Key(stringValue: key))
        }
    }
}

extension EncodedValue {
    /// The type of a leaf; nil for any other value.
    fileprivate var leafType: Any.Type? {
        if case .leaf(let value) = self { type(of: value) } else { nil }
    }
}
