/// Access to the box object in which the standard library stores a keyed container.
///
/// A `KeyedDecodingContainer` is a single reference to such a box. Creating a box requires an allocation and several
/// run-time lookups of generic types. A session therefore creates one per key type and nesting level, and reuses it
/// once nothing else references it. If ``isAvailable`` is false, no other member of this type is used, and each
/// container gets a new box.
enum ContainerBox {
    /// Returns the keyed container over a cursor, reusing the cursor's box.
    @inline(__always)
    static func container<Key: CodingKey>(
        over cursor: UnsafeMutablePointer<ObjectCursor>,
        keyedBy type: Key.Type
    ) -> KeyedDecodingContainer<Key> {
        // All keyed containers consist of one reference. The closure's type is cast, because casting its result would
        // require a metadata lookup.
        let make: (UnsafeRawPointer) -> KeyedDecodingContainer<ReferenceKey> = {
            $0.assumingMemoryBound(to: KeyedDecodingContainer<ReferenceKey>.self).pointee
        }
        let typed = unsafeBitCast(make, to: ((UnsafeRawPointer) -> KeyedDecodingContainer<Key>).self)
        return typed(UnsafeRawPointer(cursor) + boxOffset)
    }

    /// Returns the box of a container; nil if the container does not have the expected layout.
    ///
    /// Requires ``isAvailable``.
    static func box<Key: CodingKey>(
        of container: KeyedDecodingContainer<Key>,
        over cursor: UnsafeMutablePointer<ObjectCursor>
    ) -> AnyObject? {
        guard MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else { return nil }
        let box = unsafeBitCast(container, to: AnyObject.self)
        return content(of: box).load(as: UnsafeMutablePointer<ObjectCursor>.self) == cursor ? box : nil
    }

    /// Extends the session's lifetime to that of a container that outlives its call.
    ///
    /// The box is converted in place to that of an ``OwningContainer``, which differs only in its type and owner.
    static func setOwner(_ session: DecodingSession, of cursor: UnsafeMutablePointer<ObjectCursor>) {
        guard let box = cursor.pointee.box else { return }
        let owningBox = cursor.pointee.keyType.pointee.owningBox(cursor, session)
        let memory = Unmanaged.passUnretained(box).toOpaque()
        let owner = (content(of: box) + MemoryLayout<Int>.size).assumingMemoryBound(to: AnyObject.self)
        owner.initialize(to: session)
        memory.storeBytes(of: typeWord(of: owningBox), as: UInt.self)
    }

    private enum ReferenceKey: CodingKey { case first }

    /// The offset of ``ObjectCursor/box``; computed, because a stored constant would be loaded for every container.
    private static var boxOffset: Int { 0 }

    /// Returns the content of a box, which follows the two-word object header.
    private static func content(of box: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(box).toOpaque() + 2 * MemoryLayout<Int>.size
    }

    /// Returns the first word of an object, which identifies its type at run time.
    private static func typeWord(of object: AnyObject) -> UInt {
        Unmanaged.passUnretained(object).toOpaque().load(as: UInt.self)
    }

    /// Returns the second word of the container in a box.
    private static func ownerWord(in content: UnsafeMutableRawPointer) -> UInt {
        content.load(fromByteOffset: MemoryLayout<Int>.size, as: UInt.self)
    }

    /// Whether boxes are reused: true outside safe mode, if two sample boxes have their type and container at the
    /// expected offsets.
    static let isAvailable: Bool = {
        guard !SafeMode.isOn, MemoryLayout<ObjectCursor>.offset(of: \.box) == boxOffset, MemoryLayout<Int>.size == 8
        else { return false }
        let session = DecodingSession()
        let owner = CursorOwner(of: session, for: session.state.keyType(ReferenceKey.self))
        let cursor = owner.cursor
        let container = KeyedDecodingContainer(KeyedContainer<ReferenceKey>(cursor: cursor))
        guard MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size else { return false }
        let box = unsafeBitCast(container, to: AnyObject.self)
        let owningBox = cursor.pointee.keyType.pointee.owningBox(cursor, session)
        return withExtendedLifetime((owner, box, owningBox)) {
            let areBoxes = [box, owningBox].allSatisfy {
                content(of: $0).load(as: UnsafeMutablePointer<ObjectCursor>.self) == cursor
                    && typeWord(of: $0) == UInt(bitPattern: unsafeBitCast(type(of: $0), to: UnsafeRawPointer.self))
            }
            return areBoxes && typeWord(of: box) != typeWord(of: owningBox)
                && ownerWord(in: content(of: box)) == 0
                && ownerWord(in: content(of: owningBox))
                    == UInt(bitPattern: Unmanaged.passUnretained(session).toOpaque())
        }
    }()
}

extension UnsafeMutablePointer<DecodingState> {
    /// Returns a keyed container for an object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(
        keyedBy type: Key.Type,
        at index: Int,
        in container: Int
    ) throws -> KeyedDecodingContainer<Key> {
        let word = pointee.tape[index]
        guard TapeWord.kind(word) == TapeKind.object else {
            throw mismatch([String: Any].self, at: index, in: container)
        }
        let keyType = keyType(type)
        var place = 0
        while place < keyType.pointee.cursorCount {
            let cursor = keyType.pointee.cursors[place]
            if isKnownUniquelyReferenced(&cursor.pointee.box) {
                cursor.pointee.begin(index, payload: TapeWord.objectPayload(word))
                if !cursor.pointee.isInUse { pointee.use(cursor) }
                return ContainerBox.container(over: cursor, keyedBy: type)
            }
            place &+= 1
        }
        return newContainer(for: keyType, at: index, payload: TapeWord.objectPayload(word))
    }

    /// Returns the entry for a key type.
    @inline(__always)
    func keyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<KeyType> {
        pointee.keyTypes.find(ObjectIdentifier(type))?.pointee ?? newKeyType(type)
    }

    @inline(never)
    private func newKeyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<KeyType> {
        let keyType = UnsafeMutablePointer<KeyType>.allocate(capacity: 1)
        keyType.initialize(to: KeyType(type))
        // The tables of a detached session no longer change, so the container's owner frees the entry.
        if !pointee.isDetached { pointee.keyTypes.insert(keyType, for: ObjectIdentifier(type)) }
        return keyType
    }

    @inline(never)
    private func newContainer<Key: CodingKey>(
        for keyType: UnsafeMutablePointer<KeyType>,
        at index: Int,
        payload: UInt64
    ) -> KeyedDecodingContainer<Key> {
        let canKeep =
            ContainerBox.isAvailable && !pointee.isDetached
            && keyType.pointee.cursorCount < KeyType.maximumCursors
        let owner = CursorOwner(of: session, for: keyType)
        owner.cursor.pointee.begin(index, payload: pointee.isDetached ? TapeWord.withoutShape : payload)
        if canKeep {
            let container = KeyedDecodingContainer(KeyedContainer<Key>(cursor: owner.cursor))
            if let box = ContainerBox.box(of: container, over: owner.cursor) {
                let cursor = owner.takeCursor()
                cursor.pointee.box = box
                keyType.pointee.keep(cursor)
                pointee.use(cursor)
                return container
            }
        }
        return KeyedDecodingContainer(OwningContainer<Key>(cursor: owner.cursor, owner: owner))
    }
}
