/// The object in which the standard library keeps a keyed container.
///
/// A `KeyedDecodingContainer` is a reference to such a box and nothing else. Creating one takes several look-ups of
/// generic types at run time and an allocation; a session creates one for each type of keys and each level of nesting,
/// and reuses it if no other reference to it exists. The layout of a box is checked first.
enum ContainerBox {
    /// Returns the keyed container over a cursor, in the box that the cursor has already.
    @inline(__always)
    static func container<Key: CodingKey>(
        over cursor: UnsafeMutablePointer<ObjectCursor>,
        keyedBy type: Key.Type
    ) -> KeyedDecodingContainer<Key> {
        // All these containers are one reference. Only the function's type is changed here, because naming the result's
        // would look up its metadata.
        let make: (UnsafeRawPointer) -> KeyedDecodingContainer<ReferenceKey> = {
            $0.assumingMemoryBound(to: KeyedDecodingContainer<ReferenceKey>.self).pointee
        }
        let typed = unsafeBitCast(make, to: ((UnsafeRawPointer) -> KeyedDecodingContainer<Key>).self)
        return typed(UnsafeRawPointer(cursor) + boxOffset)
    }

    /// Returns the box of a container; nil if containers do not have the expected layout.
    static func box<Key: CodingKey>(
        of container: KeyedDecodingContainer<Key>,
        over cursor: UnsafeMutablePointer<ObjectCursor>
    ) -> AnyObject? {
        guard isLaidOutAsExpected, MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else {
            return nil
        }
        let box = unsafeBitCast(container, to: AnyObject.self)
        return content(of: box).load(as: UnsafeMutablePointer<ObjectCursor>.self) == cursor ? box : nil
    }

    /// Makes a container that outlives its call hold on to the session.
    static func setOwner(_ session: DecodingSession, of box: AnyObject) {
        lifetime(in: content(of: box)).pointee = .owned(session)
    }

    private enum ReferenceKey: CodingKey { case first }

    private static let boxOffset = MemoryLayout<ObjectCursor>.offset(of: \.box) ?? 0

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
        guard MemoryLayout<ObjectCursor>.offset(of: \.box) != nil, MemoryLayout<Int>.size == 8 else { return false }
        let session = DecodingSession()
        let owner = CursorOwner(of: session, for: session.state.keyType(ReferenceKey.self))
        let cursor = owner.cursor
        let container = KeyedDecodingContainer(KeyedContainer<ReferenceKey>(cursor: cursor, lifetime: .call))
        guard MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size else { return false }
        let box = unsafeBitCast(container, to: AnyObject.self)
        let kept = content(of: box)
        guard MemoryLayout<ContainerLifetime>.size == MemoryLayout<Int>.size,
            kept.load(as: UnsafeMutablePointer<ObjectCursor>.self) == cursor,
            case .call = lifetime(in: kept).pointee
        else { return false }
        return true
    }()
}
