import WaybillSystem

extension IndexValue {
    /// The relation between the order of a type's values and their order in an index.
    ///
    /// If the orders agree, queries use the index to find ranges, and to read the first rows in order without reading
    /// the rest.
    public enum Order: Sendable, Hashable {
        /// Equal values are equal in the index, but the order can differ.
        case unknown

        /// The order is the same, but different values can be equal in the index, such as rounded numbers.
        case rounded

        /// Equality and order in the index are exactly those of `==` and `<`.
        case exact
    }
}

extension IndexValue {
    /// The value as an index key.
    ///
    /// A primary key cannot be null, so null is stored as an empty blob. NaN, and strings that SQLite may order
    /// differently from Swift, are stored as longer blobs. Blobs sort after all other keys.
    var key: DatabaseValue {
        switch stored {
        case .null: Self.nullKey
        case .real(let number) where number.isNaN: .blob(Data([0]))
        case .text(let text) where !text.isOrderedByBytes: .blob(Data([0] + text.utf8))
        case let value: value
        }
    }

    /// The key for the absence of a value.
    static let nullKey = DatabaseValue.blob(Data())

    /// Whether SQLite orders the value as Swift does, so that it can be looked up in an index.
    var isOrdered: Bool { if case .blob = key { stored == .null } else { true } }
}

extension String {
    /// Whether the string is known to be in Normalization Form C, in which Swift's order is the order of the bytes.
    ///
    /// Swift compares strings in that form: `e` with a combining accent equals `é`.
    var isOrderedByBytes: Bool {
        utf8.allSatisfy { $0 < 0x80 }
            || unicodeScalars.allSatisfy { scalar in
                scalar.value < 0x300 || Self.composed.contains { $0.contains(scalar.value) }
            }
    }

    /// Scalars of common scripts that have no other canonical form and do not combine with the scalar before them.
    private static let composed: [ClosedRange<UInt32>] = [
        0x388...0x482, 0x48A...0x58F,  // Greek, Cyrillic, Armenian
        0x5D0...0x5EA, 0x620...0x64A, 0x671...0x6D3,  // Hebrew, Arabic
        0x904...0x939, 0xE01...0xE33, 0x10D0...0x10FF,  // letters of Devanagari, Thai, Georgian
        0x1E00...0x1EFF, 0x2010...0x205E, 0x20A0...0x20C0,  // Latin, punctuation, currencies
        0x3001...0x3029, 0x3041...0x3096, 0x30A0...0x30FF,  // Japanese
        0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,  // Chinese, Korean
        0xFF01...0xFF5E, 0x1F300...0x1FAFF,  // full width, symbols
    ]
}
