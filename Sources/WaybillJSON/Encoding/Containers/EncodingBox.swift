/// Access to the box object in which the standard library stores a keyed container for encoding.
///
/// A `KeyedEncodingContainer` is a single reference to such a box. Creating a box requires an allocation and several
/// run-time lookups of generic types. A session therefore creates one per key type and nesting level, and reuses it
/// once nothing else references it. If ``isAvailable`` is false, no other member of this type is used, and each
/// container gets a new box.
enum EncodingBox {
    /// Returns the keyed container over a cursor, reusing the cursor's box.
    @inline(__always)
    static func container<Key: CodingKey>(
        over cursor: UnsafeMutablePointer<KeyedCursor>,
        keyedBy type: Key.Type
    ) -> KeyedEncodingContainer<Key> {
        // All keyed containers consist of one reference. The closure's type is cast, because casting its result would
        // require a metadata lookup.
        let make: (UnsafeRawPointer) -> KeyedEncodingContainer<ReferenceKey> = {
            $0.assumingMemoryBound(to: KeyedEncodingContainer<ReferenceKey>.self).pointee
        }
        let typed = unsafeBitCast(make, to: ((UnsafeRawPointer) -> KeyedEncodingContainer<Key>).self)
        return typed(UnsafeRawPointer(cursor) + cursor.pointee.boxOffset)
    }

    /// Returns the box of a container; nil if the container does not have the expected layout.
    ///
    /// Requires ``isAvailable``.
    static func box<Key: CodingKey>(
        of container: KeyedEncodingContainer<Key>,
        over cursor: UnsafeMutablePointer<KeyedCursor>
    ) -> AnyObject? {
        guard MemoryLayout<KeyedEncodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else { return nil }
        let box = unsafeBitCast(container, to: AnyObject.self)
        return content(of: box).load(as: UnsafeMutablePointer<KeyedCursor>.self) == cursor ? box : nil
    }

    /// Extends the session's lifetime to that of a container that outlives its call.
    static func setOwner(_ session: EncodingSession, of box: AnyObject) {
        lifetime(in: content(of: box)).pointee = .owned(session)
    }

    private enum ReferenceKey: CodingKey { case first }

    fileprivate static let boxOffset = MemoryLayout<KeyedCursor>.offset(of: \.box) ?? 0

    /// Returns the content of a box, which follows the two-word object header.
    private static func content(of box: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(box).toOpaque() + 2 * MemoryLayout<Int>.size
    }

    /// Returns the second property of the container in a box.
    private static func lifetime(in content: UnsafeMutableRawPointer) -> UnsafeMutablePointer<ContainerLifetime> {
        (content + MemoryLayout<Int>.size).assumingMemoryBound(to: ContainerLifetime.self)
    }

    /// Whether boxes are reused: true outside safe mode, if a sample box has its container at the expected offset.
    static let isAvailable: Bool = {
        guard !SafeMode.isOn, MemoryLayout<KeyedCursor>.offset(of: \.box) != nil, MemoryLayout<Int>.size == 8 else {
            return false
        }
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
/// An optional would suffice, but copying one calls the reference-counting runtime even if it is nil, and a container
/// is copied for each of its members. With two cases that have no reference, the compiled code checks the case first.
enum ContainerLifetime {
    /// The encoding call keeps the session alive, and sets an owner if the container outlives it.
    case call
    /// Never used; its presence makes the compiled code check the case.
    case none
    /// The container keeps the session alive through this reference.
    case owned(AnyObject)
}

/// The owner of a cursor whose container is not reused; it also keeps the session alive.
final class KeyedCursorOwner {
    let cursor: UnsafeMutablePointer<KeyedCursor>
    private let session: EncodingSession
    private var ownsKeyType = false
    private var isOwner = true

    /// Creates a cursor with a key type owned by the session.
    init(of session: EncodingSession, for keyType: UnsafeMutablePointer<EncodingKeyType>) {
        self.session = session
        cursor = .allocate(capacity: 1)
        cursor.initialize(
            to: KeyedCursor(
                state: session.state,
                keyType: keyType,
                boxOffset: EncodingBox.boxOffset,
                slot: session.state.pointee.root,
                generation: -1
            )
        )
    }

    /// Creates a cursor that owns its key type, for a container whose methods all fail.
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

    /// Transfers ownership of the cursor to the caller.
    func takeCursor() -> UnsafeMutablePointer<KeyedCursor> {
        isOwner = false
        return cursor
    }
}

extension UnsafeMutablePointer<EncodingState> {
    /// Returns a keyed container for an object.
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

    /// Returns a container whose methods all throw.
    @inline(never)
    func unusableContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let session = EncodingSession()
        session.state.pointee.failure = pointee.failure ?? outdated()
        session.state.pointee.isDetached = true
        let owner = KeyedCursorOwner(of: session, keyedBy: type)
        return KeyedEncodingContainer(KeyedEncoder<Key>(cursor: owner.cursor, lifetime: .owned(owner)))
    }

    /// Selects how repeated keys of an object are detected.
    @inline(__always)
    private func prepareKeys(of slot: UnsafeMutablePointer<ValueSlot>, _ keyType: UnsafeMutablePointer<EncodingKeyType>)
    {
        if slot.hasOnlyKeys(of: keyType) { return }
        if slot.pointee.keyType == nil, !slot.pointee.tracksNames, keyType.pointee.isEnumeration,
            !pointee.hasCustomKeys
        {
            slot.pointee.keyType = keyType
            slot.pointee.onlyKeyType = keyType
        } else {
            trackNames(of: slot)
        }
    }

    /// Starts recording the names of an object's members.
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

    /// Returns the entry for a key type.
    @inline(__always)
    private func keyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyType> {
        pointee.keyTypes.find(ObjectIdentifier(type))?.pointee ?? newKeyType(type)
    }

    @inline(never)
    private func newKeyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<EncodingKeyType> {
        let keyType = UnsafeMutablePointer<EncodingKeyType>.allocate(capacity: 1)
        keyType.initialize(to: EncodingKeyType(type))
        pointee.keyTypes.insert(keyType, for: ObjectIdentifier(type))
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
        if EncodingBox.isAvailable, keyType.pointee.cursorCount < EncodingKeyType.maximumCursors {
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
