/// The cached state of a coding key type: the encoded texts of its cases, and reusable containers.
struct EncodingKeyType {
    /// The encoded text of a key.
    struct Entry {
        /// The comma, the key and the colon; nil if the key has not been written yet.
        var text: UnsafeMutablePointer<UInt8>?
        var count = 0
        /// The index of the converted key in ``names``; several cases can convert to the same key.
        var bit = 0
    }

    /// The maximum number of reusable containers.
    static let maximumCursors = 8
    /// The number of readable bytes after a text.
    static let padding = 16

    /// Whether the type is an enumeration with values of at most one byte, which identifies the key; see
    /// ``TypeMetadata``.
    let isEnumeration: Bool
    /// Returns the key for a case number, for coding paths.
    let key: @Sendable (Int) -> (any CodingKey)?
    /// The encoded keys, indexed by case number.
    private(set) var entries: UnsafeMutablePointer<Entry>
    private(set) var entryCount = 0
    /// The cursors of reusable containers.
    let cursors: UnsafeMutablePointer<UnsafeMutablePointer<KeyedCursor>>
    private(set) var cursorCount = 0
    /// The converted keys, indexed by their bits.
    private(set) var names: [String] = []
    /// The bits of the keys in key order, for sorted output.
    private(set) var sortedBits: [Int] = []

    init<Key: CodingKey>(_ type: Key.Type) {
        let isEnumeration = TypeMetadata.isEnumerationWithoutPayload(type)
        self.isEnumeration = isEnumeration
        key = { number in
            guard isEnumeration else { return nil }
            return withUnsafeTemporaryAllocation(of: Key.self, capacity: 1) { buffer in
                // An enumeration with a single case occupies no bytes.
                guard let key = buffer.baseAddress else { return nil }
                if MemoryLayout<Key>.size == 1 {
                    UnsafeMutableRawPointer(key).storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
                }
                return key.pointee
            }
        }
        entries = .allocate(capacity: 1)
        cursors = .allocate(capacity: Self.maximumCursors)
    }

    /// Frees a key type, including its cursors and texts.
    static func free(_ keyType: UnsafeMutablePointer<EncodingKeyType>) {
        keyType.pointee.removeTexts()
        keyType.pointee.entries.deallocate()
        for index in 0..<keyType.pointee.cursorCount {
            keyType.pointee.cursors[index].deinitialize(count: 1)
            keyType.pointee.cursors[index].deallocate()
        }
        keyType.pointee.cursors.deallocate()
        keyType.deinitialize(count: 1)
        keyType.deallocate()
    }

    /// Stores the cursor of a reusable container.
    mutating func keep(_ cursor: UnsafeMutablePointer<KeyedCursor>) {
        cursors[cursorCount] = cursor
        cursorCount += 1
    }

    /// Releases the containers, but not the cursors, which can still be in use after the call.
    func releaseBoxes() {
        for index in 0..<cursorCount { cursors[index].pointee.box = nil }
    }

    /// Discards the encoded keys after the key format has changed.
    mutating func removeTexts() {
        for index in 0..<entryCount {
            entries[index].text?.deallocate()
            entries[index] = Entry()
        }
        names = []
        sortedBits = []
    }

    /// Updates ``sortedBits`` for the keys written so far.
    mutating func sortBits() {
        guard sortedBits.count < names.count else { return }
        sortedBits = KeyOrder.sorted(names).map(\.index)
    }

    /// Stores the encoded key of a case.
    ///
    /// - Parameters:
    ///   - number: the number of the case, below 256.
    ///   - name: the converted key.
    ///   - text: the comma, the key and the colon.
    mutating func learn(case number: Int, name: String, text: UnsafeBufferPointer<UInt8>) {
        if number >= entryCount { grow(to: number + 1) }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count + Self.padding)
        copy.initialize(repeating: 0, count: text.count + Self.padding)
        if let start = text.baseAddress { copy.update(from: start, count: text.count) }
        var bit = names.count
        if let earlier = names.firstIndex(of: name) { bit = earlier } else { names.append(name) }
        entries[number] = Entry(text: copy, count: text.count, bit: bit)
    }

    private mutating func grow(to count: Int) {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: count)
        larger.moveInitialize(from: entries, count: entryCount)
        (larger + entryCount).initialize(repeating: Entry(), count: count - entryCount)
        entries.deallocate()
        entries = larger
        entryCount = count
    }
}

/// The position of a keyed container in its output.
///
/// The cursor holds all mutable state of its container. It is used by one container at a time, and is owned by its
/// session.
struct KeyedCursor {
    let state: UnsafeMutablePointer<EncodingState>
    let keyType: UnsafeMutablePointer<EncodingKeyType>
    /// The offset of ``box``; a static property would be lazily initialized, with a check on each access.
    let boxOffset: Int
    /// The standard library's box for the container.
    var box: AnyObject?
    /// Whether the cursor has been used since the call began.
    var isInUse = false
    var slot: UnsafeMutablePointer<ValueSlot>
    /// The slot generation for which the container is valid.
    var generation: Int
}
