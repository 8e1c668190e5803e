/// The place of a value that is being encoded: at first without a value, then an array, an object, or a scalar.
///
/// A session keeps its slots from value to value. A slot belongs to one value during the call that encodes the value,
/// and its generation tells encoders and containers of that call from later ones.
struct ValueSlot {
    enum Kind: UInt8 {
        /// Nothing has been encoded yet.
        case pending
        case object, array
        /// A value that is complete.
        case complete
        /// The document itself, which is not a value.
        case document
    }

    let state: UnsafeMutablePointer<EncodingState>
    /// The index of the slot among those of the session.
    let place: Int
    /// The number of values that had the slot before.
    var generation = 0
    var kind = Kind.pending
    /// Whether the array or the object has no content yet.
    var isEmpty = true
    /// Whether the slot is on the stack of its segment.
    var isOpen = false
    /// Whether the object or array is in an earlier segment, and this is content that was added after its end.
    var isContinuation = false
    /// Whether the object may go on with another one, so that arrays and objects in it may too.
    var isMerged = false
    /// Whether ``names`` has the names of all members.
    var tracksNames = false
    /// The number of arrays and objects that the value is in, and itself.
    var depth = 0
    /// The number of single values that are encoded within each other here.
    var wrappers = 0
    /// The segment of output in which its content goes on.
    var segment = 0
    /// The offset of the text of the value.
    var start = 0
    /// The offset of the closing bracket in the segment, once it is not open any more.
    var end = 0
    /// The slot that is below it on the stack of the segment.
    var below: UnsafeMutablePointer<ValueSlot>?

    /// The slot of the array or object that the value is in.
    var parent: UnsafeMutablePointer<ValueSlot>?
    /// The ``key`` of the parent, when the value was begun.
    var parentKey = 0
    /// The ``name`` of the parent, when the value was begun.
    var parentName: PathKey?

    /// The number of elements of an array; the case of the last key, for keys that are cases.
    var key = 0
    /// The last key of an object, for keys that are not cases.
    var name: PathKey?
    /// The type of keys that are cases, by which ``key`` is a key.
    var keyType: UnsafeMutablePointer<EncodingKeyType>?
    /// The same type while all keys are its cases, so that ``writtenKeys`` has all of them.
    var onlyKeyType: UnsafeMutablePointer<EncodingKeyType>?
    /// A bit for each key that has been written, by ``EncodingKeyType/Entry/bit``.
    var writtenKeys: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// The names of all members, if keys are not the cases of one type.
    var names: Set<String> = []
}

extension UnsafeMutablePointer<ValueSlot> {
    /// The path from the top of the value to the slot.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var slot = self
        while let parent = slot.pointee.parent {
            if let key = parent.key(slot.pointee.parentKey, slot.pointee.parentName) { path.append(key) }
            slot = parent
        }
        return path.reversed()
    }

    /// The path to the member or the element that is being encoded.
    var pathOfCurrent: [any CodingKey] {
        codingPath + (key(pointee.key, pointee.name).map { [$0] } ?? [])
    }

    private func key(_ key: Int, _ name: PathKey?) -> (any CodingKey)? {
        switch pointee.kind {
        case .array: PathKey(index: key)
        case .object: name ?? pointee.keyType?.pointee.key(key)
        case .pending, .complete, .document: nil
        }
    }

    /// Whether a key has been written before; from now on it has.
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
