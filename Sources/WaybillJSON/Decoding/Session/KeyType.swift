/// The cached state of a coding key type: reusable containers, and key positions in shapes.
struct KeyType {
    /// The maximum number of keys with table entries; further keys are looked up by name.
    static let maximumKeys = 64
    /// The maximum number of reusable containers.
    static let maximumCursors = 8

    /// The cursors of reusable containers.
    let cursors: UnsafeMutablePointer<UnsafeMutablePointer<ObjectCursor>>
    /// The number of cursors.
    private(set) var cursorCount = 0
    /// Whether the type is an enumeration with values of at most one byte, which identifies the key; see
    /// ``TypeMetadata``.
    let isEnumeration: Bool
    /// Creates a key from its name, for coding paths.
    let key: @Sendable (String) -> (any CodingKey)?
    /// Creates the box of an owning container over a cursor; only used while ``ContainerBox/isAvailable`` is true or
    /// being computed.
    let owningBox: @Sendable (UnsafeMutablePointer<ObjectCursor>, AnyObject) -> AnyObject
    /// The positions of the keys in shapes.
    private var places = KeyOffsetCache()
    /// The mapping between document keys and the cases of the type.
    var cases = KeyCaseMap()

    init<Key: CodingKey>(_ type: Key.Type) {
        isEnumeration = TypeMetadata.isEnumerationWithoutPayload(type)
        key = { Key(stringValue: $0) }
        owningBox = { cursor, owner in
            let container = KeyedDecodingContainer(OwningContainer<Key>(cursor: cursor, owner: owner))
            return unsafeBitCast(container, to: AnyObject.self)
        }
        cursors = .allocate(capacity: Self.maximumCursors)
    }

    /// Frees a key type, including its cursors and tables.
    static func free(_ keyType: UnsafeMutablePointer<KeyType>) {
        keyType.pointee.deallocate()
        keyType.deinitialize(count: 1)
        keyType.deallocate()
    }

    private func deallocate() {
        for index in 0..<cursorCount {
            cursors[index].deinitialize(count: 1)
            cursors[index].deallocate()
        }
        cursors.deallocate()
        places.deallocate()
    }

    /// Stores the cursor of a reusable container.
    mutating func keep(_ cursor: UnsafeMutablePointer<ObjectCursor>) {
        cursors[cursorCount] = cursor
        cursorCount += 1
    }

    /// Releases the containers, but not the cursors, which can still be in use after the call.
    func detachCursors() {
        for index in 0..<cursorCount {
            cursors[index].pointee.box = nil
            cursors[index].pointee.detach()
        }
    }

    /// Returns the positions of the keys in a shape; nil if the type is not an enumeration, or there are too many
    /// shapes.
    @inline(__always)
    mutating func places(in shape: Int) -> UnsafeMutablePointer<UInt8>? {
        isEnumeration ? places.table(for: shape) : nil
    }

    /// Discards all positions after shapes or names have changed; no container may be in use.
    mutating func removePlaces() {
        places.removeAll()
        cases.removeAll()
    }
}

/// The positions of an enumeration's keys in shapes: one table per shape, with one byte per key.
///
/// Cursors point to the tables, so a table's address is stable while a document is decoded.
struct KeyOffsetCache {
    /// The entry of a key that has not been looked up.
    static let unknown: UInt8 = 0
    /// The entry of a key that the shape does not contain; any other entry is the key's position plus 1.
    static let absent: UInt8 = .max

    /// The maximum number of tables.
    private static let maximumTables = 96

    private var tables: [UnsafeMutablePointer<UInt8>] = []
    /// The table index for each shape, plus 1; 0 for a shape without a table.
    private var indices: [UInt8] = []
    private var last: (shape: Int, table: UnsafeMutablePointer<UInt8>?) = (0, nil)

    func deallocate() {
        for table in tables { table.deallocate() }
    }

    mutating func removeAll() {
        deallocate()
        self = KeyOffsetCache()
    }

    /// Returns the table for a shape; nil if there are too many tables.
    @inline(__always)
    mutating func table(for shape: Int) -> UnsafeMutablePointer<UInt8>? {
        if last.shape != shape { last = (shape, otherTable(for: shape)) }
        return last.table
    }

    @inline(never)
    private mutating func otherTable(for shape: Int) -> UnsafeMutablePointer<UInt8>? {
        if shape < indices.count, indices[shape] != 0 { return tables[Int(indices[shape]) - 1] }
        guard tables.count < Self.maximumTables else { return nil }
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: KeyType.maximumKeys)
        table.initialize(repeating: Self.unknown, count: KeyType.maximumKeys)
        tables.append(table)
        if indices.count <= shape { indices += Array(repeating: 0, count: shape + 1 - indices.count) }
        indices[shape] = UInt8(truncatingIfNeeded: tables.count)
        return table
    }
}

/// A map from document keys to the cases of an enumeration, for objects whose members can be in any order.
struct KeyCaseMap {
    /// The case for each key number, plus 1; 0 if no case matches the key.
    private var cases: [UInt8] = []
    /// The number of each case's key; 0 if it is unknown.
    private var numbers: [UInt16] = []
    /// The document number of each case's recorded key.
    private var documents: [Int] = []

    /// The key number of a case that must be looked up by name.
    static let notKept: UInt16 = .max

    mutating func removeAll() { self = KeyCaseMap() }

    /// Returns the number of a case's key; nil if it is unknown.
    @inline(__always)
    func number(ofCase index: Int) -> UInt16? {
        guard index < numbers.count, numbers[index] != 0 else { return nil }
        return numbers[index]
    }

    /// Whether a case's key was recorded before the given document was scanned.
    ///
    /// If so, the scanner has identified its occurrences by number.
    @inline(__always)
    func isKnown(case index: Int, before document: Int) -> Bool { documents[index] < document }

    /// Returns the case for the given key; nil if no known case has it.
    @inline(__always)
    func index(ofKey number: Int) -> Int? {
        guard number < cases.count, cases[number] != 0 else { return nil }
        return Int(cases[number]) &- 1
    }

    /// Records the key of a case.
    ///
    /// - Returns: the number of the case's key.
    mutating func learn(case index: Int, number: Int, in document: Int) -> UInt16 {
        while numbers.count <= index {
            numbers.append(0)
            documents.append(0)
        }
        while cases.count <= number { cases.append(0) }
        // If several cases share a name, only one has an entry; the others are looked up by name.
        let isKept = number != 0 && cases[number] == 0
        if isKept { cases[number] = UInt8(truncatingIfNeeded: index + 1) }
        numbers[index] = isKept ? UInt16(truncatingIfNeeded: number) : Self.notKept
        documents[index] = document
        return numbers[index]
    }
}
