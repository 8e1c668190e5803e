import WaybillJSON
import WaybillSystem

/// An ``EncodedValue`` as named items in their order, as queries and forms consist of.
///
/// Keys below the first are written in brackets: `filter[price][min]`. Names and texts are not percent-encoded.
package struct FlattenedItems: Sendable {
    /// A name and its text.
    package struct Item: Sendable, Hashable {
        /// The name, such as `filter[price][min]`.
        package var name: String

        /// The text in its pieces, between which commas belong; one piece, unless an array is comma-separated.
        ///
        /// They are kept apart so that a comma inside a piece can be percent-encoded and those between them not.
        package var pieces: [String]

        /// The text, not encoded.
        package var value: String { pieces.joined(separator: ",") }

        /// Creates an item.
        package init(name: String, pieces: [String]) {
            self.name = name
            self.pieces = pieces
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
            if let text = try text(of: value, place) { items.append(Item(name: place.name, pieces: [text])) }
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
        switch arrays {
        case .commaSeparated:
            if !pieces.isEmpty { items.append(Item(name: place.name, pieces: pieces)) }
        case .repeated, .brackets, .indexed:
            let name = place.name + (arrays == .brackets ? "[]" : "")
            items += pieces.map { Item(name: name, pieces: [$0]) }
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
