extension UnsafeMutablePointer<DecodingState> {
    /// Returns a container over the members of an object.
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
                if !cursor.pointee.isInUse { use(cursor) }
                return ContainerBox.container(over: cursor, keyedBy: type)
            }
            place &+= 1
        }
        return newContainer(for: keyType, at: index, payload: TapeWord.objectPayload(word))
    }

    /// Returns the entry of a type of keys.
    @inline(__always)
    func keyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<KeyType> {
        pointee.keyTypes.find(unsafeBitCast(type, to: UnsafeRawPointer.self))?.pointee ?? newKeyType(type)
    }

    @inline(never)
    private func newKeyType<Key: CodingKey>(_ type: Key.Type) -> UnsafeMutablePointer<KeyType> {
        let keyType = UnsafeMutablePointer<KeyType>.allocate(capacity: 1)
        keyType.initialize(to: KeyType(type))
        // After the call no table changes: the container's owner frees it.
        if !pointee.isDetached { pointee.keyTypes.insert(keyType, for: unsafeBitCast(type, to: UnsafeRawPointer.self)) }
        return keyType
    }

    @inline(never)
    private func use(_ cursor: UnsafeMutablePointer<ObjectCursor>) {
        cursor.pointee.isInUse = true
        pointee.cursorsInUse.append(cursor)
    }

    /// Returns a new container.
    @inline(never)
    private func newContainer<Key: CodingKey>(
        for keyType: UnsafeMutablePointer<KeyType>,
        at index: Int,
        payload: UInt64
    ) -> KeyedDecodingContainer<Key> {
        let canKeep = !pointee.isDetached && keyType.pointee.cursorCount < KeyType.maximumCursors
        let owner = CursorOwner(of: session, for: keyType)
        owner.cursor.pointee.begin(index, payload: pointee.isDetached ? TapeWord.withoutShape : payload)
        if canKeep {
            let container = KeyedDecodingContainer(KeyedContainer<Key>(cursor: owner.cursor, lifetime: .call))
            if let box = ContainerBox.box(of: container, over: owner.cursor) {
                let cursor = owner.takeCursor()
                cursor.pointee.box = box
                keyType.pointee.keep(cursor)
                use(cursor)
                return container
            }
        }
        return KeyedDecodingContainer(KeyedContainer<Key>(cursor: owner.cursor, lifetime: .owned(owner)))
    }
}
