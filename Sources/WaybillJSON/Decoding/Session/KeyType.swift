/// The state of a type of coding keys: containers that can be reused, and the positions of keys in shapes.
struct KeyType {
    /// Tables have an entry for each key below this number; further ones are looked up by their name.
    static let maximumKeys = 64
    /// More containers than these are not kept to be used again.
    static let maximumCursors = 8

    /// The cursors of containers that can be used again.
    let cursors: UnsafeMutablePointer<UnsafeMutablePointer<ObjectCursor>>
    /// The number of cursors.
    private(set) var cursorCount = 0
    /// Whether the keys are the cases of an enumeration without payloads, so that a byte tells them apart.
    let isEnumeration: Bool
    /// The key of a name, for coding paths.
    let key: @Sendable (String) -> (any CodingKey)?
    /// The places of the keys in shapes.
    private var places = KeyOffsetCache()
    /// The keys of documents that are these.
    var cases = KeyCaseMap()

    init<Key: CodingKey>(_ type: Key.Type) {
        isEnumeration = TypeMetadata.isEnumerationWithoutPayload(type)
        key = { Key(stringValue: $0) }
        cursors = .allocate(capacity: Self.maximumCursors)
    }

    /// Frees a key type and all that it has.
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

    /// Keeps a cursor whose container can be used again.
    mutating func keep(_ cursor: UnsafeMutablePointer<ObjectCursor>) {
        cursors[cursorCount] = cursor
        cursorCount += 1
    }

    /// Gives up the containers, but not the cursors, which may be in use after the call.
    func detachCursors() {
        for index in 0..<cursorCount {
            cursors[index].pointee.box = nil
            cursors[index].pointee.detach()
        }
    }

    /// Returns the positions of the keys in a shape; nil if the keys have no numbers, or there are too many shapes.
    @inline(__always)
    mutating func places(in shape: Int) -> UnsafeMutablePointer<UInt8>? {
        isEnumeration ? places.table(for: shape) : nil
    }

    /// Forgets all places, because shapes have changed, or names; no container may be in use.
    mutating func removePlaces() {
        places.removeAll()
        cases.removeAll()
    }
}
