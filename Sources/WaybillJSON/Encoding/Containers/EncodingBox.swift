/// The object in which the standard library keeps a keyed container for encoding.
///
/// A `KeyedEncodingContainer` is a reference to such a box and nothing else. Creating one takes several look-ups of
/// generic types at run time and an allocation; a session creates one for each type of keys and each level of nesting,
/// and reuses it if no other reference to it exists. The layout of a box is checked first.
enum EncodingBox {
    /// Returns the keyed container over a cursor, in the box that the cursor has already.
    @inline(__always)
    static func container<Key: CodingKey>(
        over cursor: UnsafeMutablePointer<KeyedCursor>,
        keyedBy type: Key.Type
    ) -> KeyedEncodingContainer<Key> {
        // All these containers are one reference. Only the function's type is changed here, because naming the result's
        // would look up its metadata.
        let make: (UnsafeRawPointer) -> KeyedEncodingContainer<ReferenceKey> = {
            $0.assumingMemoryBound(to: KeyedEncodingContainer<ReferenceKey>.self).pointee
        }
        let typed = unsafeBitCast(make, to: ((UnsafeRawPointer) -> KeyedEncodingContainer<Key>).self)
        return typed(UnsafeRawPointer(cursor) + boxOffset)
    }

    /// Returns the box of a container; nil if containers do not have the expected layout.
    static func box<Key: CodingKey>(
        of container: KeyedEncodingContainer<Key>,
        over cursor: UnsafeMutablePointer<KeyedCursor>
    ) -> AnyObject? {
        guard isLaidOutAsExpected, MemoryLayout<KeyedEncodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else {
            return nil
        }
        let box = unsafeBitCast(container, to: AnyObject.self)
        return content(of: box).load(as: UnsafeMutablePointer<KeyedCursor>.self) == cursor ? box : nil
    }

    /// Gives a container that outlives its call a reference to the session.
    static func setOwner(_ session: EncodingSession, of box: AnyObject) {
        lifetime(in: content(of: box)).pointee = .owned(session)
    }

    private enum ReferenceKey: CodingKey { case first }

    private static let boxOffset = MemoryLayout<KeyedCursor>.offset(of: \.box) ?? 0

    /// Returns the content of a box: it comes after the two words that every object has.
    private static func content(of box: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(box).toOpaque() + 2 * MemoryLayout<Int>.size
    }

    /// Returns the second property of the container in a box.
    private static func lifetime(in content: UnsafeMutableRawPointer) -> UnsafeMutablePointer<ContainerLifetime> {
        (content + MemoryLayout<Int>.size).assumingMemoryBound(to: ContainerLifetime.self)
    }

    /// Whether a box has a container at the expected offset; checked with a box made for this.
    private static let isLaidOutAsExpected: Bool = {
        guard MemoryLayout<KeyedCursor>.offset(of: \.box) != nil, MemoryLayout<Int>.size == 8 else { return false }
        let owner = KeyedCursorOwner(of: EncodingSession(), keyedBy: ReferenceKey.self)
        let cursor = owner.cursor
        let container = KeyedEncodingContainer(KeyedEncoder<ReferenceKey>(cursor: cursor, lifetime: .call))
        guard MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size else { return false }
        let box = unsafeBitCast(container, to: AnyObject.self)
        let kept = content(of: box)
        guard MemoryLayout<ContainerLifetime>.size == MemoryLayout<Int>.size,
            kept.load(as: UnsafeMutablePointer<KeyedCursor>.self) == cursor,
            case .call = lifetime(in: kept).pointee
        else { return false }
        return withExtendedLifetime(owner) { true }
    }()
}

/// A reference that keeps the session of a container alive.
///
/// An optional would have the same meaning; but a copy of one calls the reference counting even if there is nothing to
/// count, and a container is copied for each of its members. With two cases without a reference the compiler checks the
/// case first.
enum ContainerLifetime {
    /// The call that encodes the value: it ends later than the container, or gives it an owner.
    case call
    /// Never used; see above.
    case none
    /// The container itself, by a reference to the session.
    case owned(AnyObject)
}

/// Owns the cursor of a container that is not reused, and keeps the session alive.
final class KeyedCursorOwner {
    let cursor: UnsafeMutablePointer<KeyedCursor>
    private let session: EncodingSession
    private var ownsKeyType = false
    private var isOwner = true

    /// Creates a cursor with a key type of the session.
    init(of session: EncodingSession, for keyType: UnsafeMutablePointer<EncodingKeyType>) {
        self.session = session
        cursor = .allocate(capacity: 1)
        cursor.initialize(
            to: KeyedCursor(
                state: session.state,
                keyType: keyType,
                slot: session.state.pointee.root,
                generation: -1
            )
        )
    }

    /// Creates a cursor with a key type of its own, for a container that can do nothing.
    convenience init<Key: CodingKey>(of session: EncodingSession, keyedBy type: Key.Type) {
        let keyType = UnsafeMutablePointer<EncodingKeyType>.allocate(capacity: 1)
        keyType.initialize(to: EncodingKeyType(type))
        self.init(of: session, for: keyType)
        ownsKeyType = true
    }

    deinit {
        guard isOwner else { return }
        if ownsKeyType { EncodingKeyType.free(cursor.pointee.keyType) }
        cursor.deinitialize(count: 1)
        cursor.deallocate()
    }

    /// Passes the ownership of the cursor to the caller.
    func takeCursor() -> UnsafeMutablePointer<KeyedCursor> {
        isOwner = false
        return cursor
    }
}

extension UnsafeMutablePointer<EncodingState> {
    /// Returns a container over the members of an object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(
        keyedBy type: Key.Type,
        over slot: UnsafeMutablePointer<ValueSlot>
    ) -> KeyedEncodingContainer<Key> {
        let keyType = keyType(type)
        prepareKeys(of: slot, keyType)
        var place = 0
        while place < keyType.pointee.cursorCount {
            let cursor = keyType.pointee.cursors[place]
            if isKnownUniquelyReferenced(&cursor.pointee.box) {
                cursor.pointee.slot = slot
                cursor.pointee.generation = slot.pointee.generation
                if !cursor.pointee.isInUse { use(cursor) }
                return EncodingBox.container(over: cursor, keyedBy: type)
            }
            place &+= 1
        }
        return newContainer(for: keyType, over: slot)
    }

    /// Returns a container all of whose calls throw.
    @inline(never)
    func unusableContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let session = EncodingSession()
        session.state.pointee.failure = pointee.failure ?? outdated()
        session.state.pointee.isDetached = true
        let owner = KeyedCursorOwner(of: session, keyedBy: type)
        return KeyedEncodingContainer(KeyedEncoder<Key>(cursor: owner.cursor, lifetime: .owned(owner)))
    }

    /// Decides how keys of an object that are written twice are found.
    @inline(__always)
    private func prepareKeys(of slot: UnsafeMutablePointer<ValueSlot>, _ keyType: UnsafeMutablePointer<EncodingKeyType>)
    {
        if slot.pointee.onlyKeyType == keyType { return }
        if slot.pointee.keyType == nil, !slot.pointee.tracksNames, keyType.pointee.isEnumeration,
            !pointee.hasCustomKeys
        {
            slot.pointee.keyType = keyType
            slot.pointee.onlyKeyType = keyType
        } else {
            trackNames(of: slot)
        }
    }

    /// Begins to store the names of an object's members.
    @inline(never)
    func trackNames(of slot: UnsafeMutablePointer<ValueSlot>) {
        guard !slot.pointee.tracksNames else { return }
        slot.pointee.tracksNames = true
        guard let keyType = slot.pointee.onlyKeyType else { return }
        for (bit, name) in keyType.pointee.names.enumerated() where slot.hasKey(bit) {
            slot.pointee.names.insert(name)
        }
        slot.pointee.onlyKeyType = nil
    }

    /// Returns the entry of a type of keys.
    @inline(__always)
    private func keyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyType> {
        pointee.keyTypes.find(unsafeBitCast(type, to: UnsafeRawPointer.self))?.pointee ?? newKeyType(type)
    }

    @inline(never)
    private func newKeyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyType> {
        let keyType = UnsafeMutablePointer<EncodingKeyType>.allocate(capacity: 1)
        keyType.initialize(to: EncodingKeyType(type))
        pointee.keyTypes.insert(keyType, for: unsafeBitCast(type, to: UnsafeRawPointer.self))
        return keyType
    }

    @inline(never)
    private func use(_ cursor: UnsafeMutablePointer<KeyedCursor>) {
        cursor.pointee.isInUse = true
        pointee.cursorsInUse.append(cursor)
    }

    @inline(never)
    private func newContainer<Key: CodingKey>(
        for keyType: UnsafeMutablePointer<EncodingKeyType>,
        over slot: UnsafeMutablePointer<ValueSlot>
    ) -> KeyedEncodingContainer<Key> {
        let owner = KeyedCursorOwner(of: session, for: keyType)
        owner.cursor.pointee.slot = slot
        owner.cursor.pointee.generation = slot.pointee.generation
        if keyType.pointee.cursorCount < EncodingKeyType.maximumCursors {
            let container = KeyedEncodingContainer(KeyedEncoder<Key>(cursor: owner.cursor, lifetime: .call))
            if let box = EncodingBox.box(of: container, over: owner.cursor) {
                let cursor = owner.takeCursor()
                cursor.pointee.box = box
                keyType.pointee.keep(cursor)
                use(cursor)
                return container
            }
        }
        return KeyedEncodingContainer(KeyedEncoder<Key>(cursor: owner.cursor, lifetime: .owned(owner)))
    }
}
