/// What is known of a type of coding keys: containers that can be used again, and which key is where in which shape.
struct KeyType {
    /// A table of places has an entry for each key below this number; further ones are looked up by their name.
    static let maximumKeys = 64
    /// The entry of a key that was not looked up yet.
    static let unknown: UInt8 = 0
    /// The entry of a key that a shape does not have; any other is the key's place, plus 1.
    static let absent: UInt8 = .max

    private static let tableCount = 16

    /// More containers than these are not kept to be used again.
    static let maximumCursors = 8

    /// The cursors of containers that can be used again.
    let cursors: UnsafeMutablePointer<UnsafeMutablePointer<ObjectCursor>>
    /// How many of them there are.
    private(set) var cursorCount = 0
    /// Whether the keys are the cases of an enumeration without payloads, so that a byte tells them apart.
    let isEnumeration: Bool
    /// Which shape each of the tables is for.
    private var shapes: [Int]
    private let tables: UnsafeMutablePointer<UInt8>

    init<Key: CodingKey>(_ type: Key.Type) {
        isEnumeration = TypeMetadata.isEnumerationWithoutPayload(type)
        cursors = .allocate(capacity: Self.maximumCursors)
        shapes = Array(repeating: 0, count: Self.tableCount)
        tables = .allocate(capacity: isEnumeration ? Self.tableCount * Self.maximumKeys : 1)
    }

    func deallocate() {
        for index in 0..<cursorCount {
            cursors[index].deinitialize(count: 1)
            cursors[index].deallocate()
        }
        cursors.deallocate()
        tables.deallocate()
    }

    /// Keeps a cursor whose container can be used again.
    mutating func keep(_ cursor: UnsafeMutablePointer<ObjectCursor>) {
        cursors[cursorCount] = cursor
        cursorCount += 1
    }

    /// Gives up the containers, but not the cursors, which may be in use.
    func releaseContainers() {
        for index in 0..<cursorCount { cursors[index].pointee.box = nil }
    }

    /// The places of the keys in a shape; nil where the keys have no numbers.
    @inline(__always)
    mutating func places(in shape: Int) -> UnsafeMutablePointer<UInt8>? {
        guard isEnumeration else { return nil }
        let index = shape & (Self.tableCount - 1)
        let table = tables + index &* Self.maximumKeys
        if shapes[index] != shape {
            shapes[index] = shape
            table.update(repeating: Self.unknown, count: Self.maximumKeys)
        }
        return table
    }

    /// Forgets all places, because shapes have changed, or names.
    mutating func removePlaces() {
        for index in shapes.indices { shapes[index] = 0 }
    }
}
