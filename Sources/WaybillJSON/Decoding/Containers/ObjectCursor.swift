/// The position of a keyed container in its object.
///
/// The standard library copies containers on every call, so the cursor holds all mutable state and all references. A
/// cursor is used by one container at a time, and is owned by its session.
struct ObjectCursor {
    /// The standard library's box for the container.
    ///
    /// This must be the first property; see ``ContainerBox``.
    var box: AnyObject?
    let state: UnsafeMutablePointer<DecodingState>
    let keyType: UnsafeMutablePointer<KeyType>
    /// Whether the session's list of cursors in use contains this one.
    var isInUse = false
    /// The next cursor in that list.
    var next: UnsafeMutablePointer<ObjectCursor>?
    /// The parts of ``members`` computed for the object so far.
    var preparations: Preparations = []
    /// The tape index of the object's first word.
    var object = 0
    /// The object's shape; 0 if it has none.
    var shape = 0
    /// The table of the keys' positions in the shape, indexed by enumeration case; see ``KeyOffsetCache``.
    var places: UnsafeMutablePointer<UInt8>?
    /// The most recently found member's position in the shape; -1 before the first one.
    var place = -1
    /// The tape index of that member's key.
    var position = 0
    /// The object's members, used for access out of order.
    var members = MemberIndex()

    /// The parts of ``members``, each computed on demand.
    struct Preparations: OptionSet {
        let rawValue: UInt8

        /// Members by position in the shape.
        static let places = Preparations(rawValue: 1)
        /// Members by case of the key enumeration.
        static let cases = Preparations(rawValue: 2)
        /// Members by name.
        static let names = Preparations(rawValue: 4)
    }

    /// Moves the cursor to the start of an object.
    @inline(__always)
    mutating func begin(_ object: Int, payload: UInt64) {
        self.object = object
        preparations = []
        place = -1
        shape = payload & TapeWord.withoutShape == 0 ? Int(truncatingIfNeeded: payload) : 0
        places = shape == 0 ? nil : keyType.pointee.places(in: shape)
    }

    /// Drops all state that belongs to the call; members are then found only by name, and the cursor no longer changes.
    mutating func detach() {
        places = nil
        shape = 0
    }
}

extension UnsafeMutablePointer<ObjectCursor> {
    /// Finds the value for the given key; nil if the object has no such key.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a key with a lone surrogate, unless the decoder replaces lone
    ///   surrogates.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) throws -> Int? {
        if let places = pointee.places {
            let number = number(of: key)
            if number < KeyType.maximumKeys {
                let entry = places[number]
                if entry == KeyOffsetCache.absent { return nil }
                if entry != KeyOffsetCache.unknown { return value(atPlace: Int(entry) &- 1) }
                return try findFirstTime(key, number: number, places: places)
            }
        }
        return try findWithoutPlaces(key)
    }

    /// Returns the key with the given name; nil if the cursor is at another object, or the key type has no such key.
    func key(named name: String, in object: Int) -> (any CodingKey)? {
        guard pointee.object == object, let key = pointee.keyType.pointee.key(name), key.stringValue == name else {
            return nil
        }
        return key
    }

    /// Returns the index of an enumeration case; an enumeration with a single case occupies no bytes.
    @inline(__always)
    private func number<Key: CodingKey>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }

    /// Returns the tape index of the value at a position in the object's shape.
    @inline(__always)
    private func value(atPlace place: Int) -> Int {
        if place == pointee.place &+ 1 {
            let tape = pointee.state.pointee.tape
            pointee.position = place == 0 ? pointee.object &+ 2 : tape.end(of: pointee.position &+ 1)
            pointee.place = place
        } else if place != pointee.place {
            seek(place)
        }
        return pointee.position &+ 1
    }

    /// Moves to a member that is not the next one.
    @inline(never)
    private func seek(_ place: Int) {
        if !pointee.preparations.contains(.places) {
            if place > pointee.place {
                let tape = pointee.state.pointee.tape
                var position = pointee.place < 0 ? pointee.object &+ 2 : tape.end(of: pointee.position &+ 1)
                var skipped = pointee.place &+ 1
                while skipped < place {
                    position = tape.end(of: position &+ 1)
                    skipped &+= 1
                }
                pointee.place = place
                pointee.position = position
                return
            }
            pointee.members.preparePlaces(of: pointee.object, on: pointee.state.pointee.tape)
            pointee.preparations.insert(.places)
        }
        pointee.place = place
        pointee.position = Int(pointee.members.positions[place])
    }

    /// Finds a key by name, and records its position.
    @inline(never)
    private func findFirstTime(
        _ key: some CodingKey,
        number: Int,
        places: UnsafeMutablePointer<UInt8>
    ) throws -> Int? {
        guard pointee.state.pointee.keyConversion != .custom else { return try find(named: key.stringValue) }
        guard let place = place(ofCase: number, key), place < KeyOffsetCache.absent - 1 else {
            places[number] = KeyOffsetCache.absent
            return nil
        }
        places[number] = UInt8(truncatingIfNeeded: place &+ 1)
        return value(atPlace: place)
    }

    /// Returns the position of a case's key in the shape, looked up by key number if the key has one, otherwise by
    /// name.
    private func place(ofCase index: Int, _ key: some CodingKey) -> Int? {
        let state = pointee.state
        if state.pointee.keyConversion == .none {
            let number = pointee.keyType.pointee.cases.number(ofCase: index) ?? learn(case: index, key)
            if number != KeyCaseMap.notKept { return state.pointee.shapes.place(ofKey: Int(number), in: pointee.shape) }
        }
        return state.place(of: key.stringValue, in: pointee.shape)
    }

    @inline(never)
    private func findWithoutPlaces<Key: CodingKey>(_ key: Key) throws -> Int? {
        let state = pointee.state
        if pointee.keyType.pointee.isEnumeration, state.pointee.keyConversion == .none, !state.pointee.isDetached,
            !pointee.preparations.contains(.names)
        {
            let number = number(of: key)
            if number < KeyType.maximumKeys, let position = find(case: number, key) {
                return position == 0 ? nil : position &+ 1
            }
        }
        return try find(named: key.stringValue)
    }

    /// Returns the tape index of a case's key; nil if the key must be looked up by name, 0 if the object does not
    /// contain it.
    @inline(__always)
    private func find(case index: Int, _ key: some CodingKey) -> Int? {
        let state = pointee.state
        let number = pointee.keyType.pointee.cases.number(ofCase: index) ?? learn(case: index, key)
        guard number != KeyCaseMap.notKept else { return nil }
        if !pointee.preparations.contains(.cases) {
            pointee.members.prepareCases(pointee.keyType.pointee.cases, of: pointee.object, on: state.pointee.tape)
            pointee.preparations.insert(.cases)
        }
        return pointee.members.position(
            ofCase: index,
            isKnown: pointee.keyType.pointee.cases.isKnown(case: index, before: state.pointee.documentNumber)
        )
    }

    /// Records the key of a case.
    @inline(never)
    private func learn(case index: Int, _ key: some CodingKey) -> UInt16 {
        let state = pointee.state
        var name = key.stringValue
        let number = name.withUTF8 { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? state.pointee.shapes.keys.number(of: bytes, keepingNew: true) : 0
        }
        // The members must be searched again to include this case.
        pointee.preparations.remove(.cases)
        return pointee.keyType.pointee.cases.learn(case: index, number: number, in: state.pointee.documentNumber)
    }

    /// Finds the value for a key by name.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a key with a lone surrogate, unless the decoder replaces lone
    ///   surrogates. `allKeys` shows U+FFFD in its place, but the document does not contain that character.
    @inline(never)
    func find(named name: String) throws -> Int? {
        let state = pointee.state
        if pointee.shape != 0, state.pointee.keyConversion == .none, let next = nextIfNamed(name) { return next }
        if state.pointee.isDetached { return try state.session.findAfterCall(name, in: pointee.object) }
        if !pointee.preparations.contains(.names) {
            let convertedKeys = state.convertedKeys(of: pointee.object)
            pointee.members.prepareNames(of: pointee.object, state, convertedKeys: convertedKeys)
            // From here on, all keys of the object are found by name.
            pointee.preparations = .names
            pointee.places = nil
            pointee.shape = 0
        }
        guard let place = pointee.members.place(of: name, in: state) else { return nil }
        let position = Int(pointee.members.positions[place])
        try state.checkKey(at: position, of: pointee.object)
        return state.pointee.tape.end(of: position)
    }

    /// Returns the tape index of the next member's value if the member has this name; names are unique within a shape.
    private func nextIfNamed(_ name: String) -> Int? {
        let tape = pointee.state.pointee.tape
        let position = pointee.place < 0 ? pointee.object &+ 2 : tape.end(of: pointee.position &+ 1)
        guard position < TapeWord.lower(tape[pointee.object]) else { return nil }
        var name = name
        let isNext = name.withUTF8 { pointee.state.isKey(at: position, $0) }
        guard isNext else { return nil }
        pointee.place &+= 1
        pointee.position = position
        return position &+ 1
    }
}

/// The owner of a cursor whose container is not reused; it also keeps the session alive.
final class CursorOwner {
    let cursor: UnsafeMutablePointer<ObjectCursor>
    /// The index in the session's list of owners.
    var place = 0
    private let session: DecodingSession
    private let ownsKeyType: Bool
    private var isOwner = true

    init(of session: DecodingSession, for keyType: UnsafeMutablePointer<KeyType>) {
        self.session = session
        // A detached session adds no key types to its table, so the owner frees its own.
        ownsKeyType = session.state.pointee.isDetached
        cursor = .allocate(capacity: 1)
        cursor.initialize(to: ObjectCursor(state: session.state, keyType: keyType))
        if !session.state.pointee.isDetached { session.state.pointee.add(self) }
    }

    deinit {
        if !session.state.pointee.isDetached { session.state.pointee.remove(self) }
        guard isOwner else { return }
        if ownsKeyType { KeyType.free(cursor.pointee.keyType) }
        cursor.deinitialize(count: 1)
        cursor.deallocate()
    }

    /// Transfers ownership of the cursor to the caller.
    func takeCursor() -> UnsafeMutablePointer<ObjectCursor> {
        isOwner = false
        return cursor
    }
}
