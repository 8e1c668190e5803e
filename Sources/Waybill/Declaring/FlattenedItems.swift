import WaybillJSON
import WaybillSystem

/// An ``EncodedValue`` flattened into an ordered list of named items, for queries and forms.
///
/// Nested keys are written in brackets: `filter[price][min]`. Names and texts are not percent-encoded.
package struct FlattenedItems: Sendable {
    /// A name and its text.
    package struct Item: Sendable {
        /// The name, such as `filter[price][min]`.
        package var name: String

        /// The pieces of the text, to be joined by commas.
        ///
        /// Only a comma-separated array has more than one piece. The pieces are stored separately because commas inside
        /// a piece are percent-encoded, but those between pieces are not.
        package var pieces: [String]

        /// The type of the leaf; nil for null and for an empty array or object.
        package var type: Any.Type?

        /// The style of the enclosing array; nil for a single value.
        package var arrayStyle: Query.ArrayStyle?

        /// The text, not percent-encoded.
        package var value: String { pieces.joined(separator: ",") }

        /// Creates an item.
        package init(
            name: String,
            pieces: [String],
            type: Any.Type? = nil,
            arrayStyle: Query.ArrayStyle? = nil
        ) {
            self.name = name
            self.pieces = pieces
            self.type = type
            self.arrayStyle = arrayStyle
        }
    }

    /// The items.
    package private(set) var items: [Item] = []

    private let arrays: Query.ArrayStyle
    private let nulls: Query.NullStyle
    private let keys: WaybillJSONEncoder.KeyEncodingStrategy
    private let empties: Query.EmptyStyle?
    private let format: LeafFormat

    /// Flattens a value.
    ///
    /// - Parameters:
    ///   - value: the value to flatten: an object, or any value if `name` is given.
    ///   - name: the name of the value itself; if given, all keys are written in brackets.
    ///   - arrays: the style of arrays.
    ///   - nulls: the text of null; with ``Query/NullStyle/omitted``, null elements of arrays are omitted as well.
    ///   - keys: the strategy for the keys of objects. The keys of dictionaries are data and are not changed.
    ///   - empties: the treatment of empty objects and arrays; nil to write empty arrays if the style can represent
    ///     them and throw otherwise.
    ///   - format: the format of leaves.
    /// - Throws: `EncodingError.invalidValue` with the coding path if the value is not an object and has no name, if an
    ///   array contains objects or arrays and its style is not ``Query/ArrayStyle/indexed``, if the format cannot
    ///   represent a leaf, or if an empty object or array cannot be written.
    package init(
        _ value: EncodedValue,
        named name: String? = nil,
        arrays: Query.ArrayStyle = .repeated,
        nulls: Query.NullStyle = .empty,
        keys: WaybillJSONEncoder.KeyEncodingStrategy = .useDefaultKeys,
        empties: Query.EmptyStyle? = .omitted,
        format: LeafFormat = .standard
    ) throws {
        self.arrays = arrays
        self.nulls = nulls
        self.keys = keys
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

    /// The item name and the coding path of a value.
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
                let name = self.name(of: member.key, in: value, at: path)
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

    /// Appends the item for an empty object or array, unless it is omitted.
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
                        + " Body.Format(as: .form(empties: .empty)) or .omitted."
                )
            }
            items.append(Item(name: name, pieces: [""]))
        }
    }

    private func name(of key: String, in parent: EncodedValue, at path: [EncodedValue.Key]) -> String {
        if case .object = parent { keys.converting(path) } else { key }
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

    /// Returns the text of a leaf or null; nil for an omitted null.
    private func text(of value: EncodedValue, _ place: Place) throws -> String? {
        switch value {
        case .null:
            return nulls.text
        case .leaf(let leaf):
            do {
                return try format.text(of: leaf)
            } catch let error as LeafFormat.Unsupported {
                // Foundation traps when printing an out-of-range date.
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

extension EncodedValue {
    /// The type of a leaf; nil for any other value.
    fileprivate var leafType: Any.Type? {
        if case .leaf(let value) = self { type(of: value) } else { nil }
    }
}
