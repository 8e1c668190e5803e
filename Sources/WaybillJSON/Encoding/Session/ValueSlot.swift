/// The state of a value being encoded: initially pending, then an array, an object or a scalar.
///
/// A session reuses its slots. A slot belongs to one value until the call that encodes it ends. The generation
/// distinguishes that call's encoders and containers from later ones.
struct ValueSlot {
    enum Kind: UInt8 {
        /// Nothing has been encoded yet.
        case pending
        case object, array
        /// A complete value.
        case complete
        /// The document itself, which is not a value.
        case document
    }

    let state: UnsafeMutablePointer<EncodingState>
    /// The index of the slot in the session.
    let place: Int
    /// The number of values that have previously used the slot.
    var generation = 0
    var kind = Kind.pending
    /// Whether the array or object is still empty.
    var isEmpty = true
    /// Whether the slot is on the stack of its segment.
    var isOpen = false
    /// Whether the array or object began in an earlier segment and continues after it was closed.
    var isContinuation = false
    /// Whether the object may be merged with an earlier one; this also applies to nested arrays and objects.
    var isMerged = false
    /// Whether the members of the object are written in sorted order.
    var isSorted = false
    /// Whether ``names`` contains the names of all members.
    var tracksNames = false
    /// The index of the object's first member in ``MemberSorter``.
    var firstMember = 0
    /// The number of enclosing arrays and objects, plus one.
    var depth = 0
    /// The number of nested single-value encodings in this slot.
    var wrappers = 0
    /// The output segment in which the content continues.
    var segment = 0
    /// The offset of the value in the output.
    var start = 0
    /// The offset of the closing bracket in the segment, once the value is closed.
    var end = 0
    /// The next lower slot on the stack of the segment.
    var below: UnsafeMutablePointer<ValueSlot>?

    /// The slot of the enclosing array or object.
    var parent: UnsafeMutablePointer<ValueSlot>?
    /// The parent's ``key`` when the value began.
    var parentKey = 0
    /// The parent's ``name`` when the value began.
    var parentName: PathKey?

    /// For an array, the number of elements; for an object, the case number of the last key, unless ``name`` is set.
    var key = 0
    /// The last key of an object, if keys are written by name; nil unless ``tracksNames`` is set.
    var name: PathKey?
    /// The key type that ``key`` refers to.
    var keyType: UnsafeMutablePointer<EncodingKeyType>?
    /// The same key type as long as all keys are its cases and are therefore contained in ``writtenKeys``; otherwise
    /// nil.
    var onlyKeyType: UnsafeMutablePointer<EncodingKeyType>?
    /// One bit per written key, at the index ``EncodingKeyType/Entry/bit``.
    var writtenKeys: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// The names of all members, if the keys are not all cases of one type.
    var names: Set<String> = []
}

extension UnsafeMutablePointer<ValueSlot> {
    /// The path from the root value to the slot.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var slot = self
        while let parent = slot.pointee.parent {
            if let key = parent.key(slot.pointee.parentKey, slot.pointee.parentName) { path.append(key) }
            slot = parent
        }
        return path.reversed()
    }

    /// The path to the current member or element.
    var pathOfCurrent: [any CodingKey] {
        codingPath + (key(pointee.key, pointee.name).map { [$0] } ?? [])
    }

    /// The depth of a value in this slot.
    @inline(__always)
    var depthOfNested: Int {
        // A value in a single-value container replaces its parent.
        pointee.depth &+ (pointee.kind == .pending ? 0 : 1)
    }

    private func key(_ key: Int, _ name: PathKey?) -> (any CodingKey)? {
        switch pointee.kind {
        case .array: PathKey(index: key)
        case .object: name ?? pointee.keyType?.pointee.key(key)
        case .pending, .complete, .document: nil
        }
    }

    /// Whether all keys are cases of a key type.
    @inline(__always)
    func hasOnlyKeys(of keyType: UnsafeMutablePointer<EncodingKeyType>) -> Bool {
        UInt(bitPattern: pointee.onlyKeyType) == UInt(bitPattern: keyType)
    }

    /// Marks a key as written; returns whether it already was.
    @inline(__always)
    func insertKey(_ bit: Int) -> Bool {
        withUnsafeMutableBytes(of: &pointee.writtenKeys) { bytes in
            guard let start = bytes.baseAddress else { return false }
            let words = start.assumingMemoryBound(to: UInt64.self)
            let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: bit & 63)
            let word = words[bit &>> 6]
            words[bit &>> 6] = word | mask
            return word & mask != 0
        }
    }

    /// Whether a key has been written.
    func hasKey(_ bit: Int) -> Bool {
        withUnsafeBytes(of: pointee.writtenKeys) { bytes in
            bytes.load(fromByteOffset: bit / 64 * 8, as: UInt64.self) & (1 << UInt64(bit % 64)) != 0
        }
    }
}
