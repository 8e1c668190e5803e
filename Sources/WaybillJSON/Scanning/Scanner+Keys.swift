extension Scanner {
    /// Reads a key, and the colon behind it.
    ///
    /// - Parameter shape: The shape of the keys before it; then the one with this key.
    @inline(__always)
    mutating func scanKey(_ index: inout Int, _ end: inout Int, _ shape: inout UInt64) -> Bool {
        if !isExpectedKey(&index, &end, &shape) {
            guard scanOtherKey(&index, &end, &shape) else { return false }
        }
        if index < count, bytes[index] == UInt8(ascii: ":") {
            index &+= 1
            return true
        }
        skipWhiteSpace(&index)
        guard index < count, bytes[index] == UInt8(ascii: ":") else { return false }
        index &+= 1
        return true
    }

    /// Reads the key that followed the keys before it last time.
    @inline(__always)
    private func isExpectedKey(_ index: inout Int, _ end: inout Int, _ shape: inout UInt64) -> Bool {
        guard shape & TapeWord.withoutShape == 0, index &+ 17 <= count else { return false }
        let predicted = Int(truncatingIfNeeded: shapes[Int(truncatingIfNeeded: shape)].pointee.predicted)
        guard predicted != 0, bytes[index] == UInt8(ascii: "\"") else { return false }
        return isKey(predicted, &index, &end, &shape)
    }

    @inline(__always)
    private func isKey(_ candidate: Int, _ index: inout Int, _ end: inout Int, _ shape: inout UInt64) -> Bool {
        let key = shapes[candidate]
        let start = bytes + (index &+ 1)
        let low = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian
        let high = UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        let difference =
            (low ^ key.pointee.low) & key.pointee.lowMask | (high ^ key.pointee.high) & key.pointee.highMask
        guard difference == 0 else { return false }
        let length = Int(truncatingIfNeeded: key.pointee.length)
        if length >= 16 {
            guard index &+ 2 &+ length <= count, start[length] == UInt8(ascii: "\""),
                (start + 16).isEqual(
                    to: shapes.bytes + (Int(truncatingIfNeeded: key.pointee.spelling) &+ 16),
                    count: length &- 16
                )
            else { return false }
        }
        tape.words[end] = key.pointee.word | UInt64(truncatingIfNeeded: index &+ 1)
        end &+= 1
        index &+= length &+ 2
        shape = UInt64(truncatingIfNeeded: candidate)
        return true
    }

    /// Reads a key that was not expected.
    @inline(never)
    private mutating func scanOtherKey(_ index: inout Int, _ end: inout Int, _ shape: inout UInt64) -> Bool {
        guard index < count, bytes[index] == UInt8(ascii: "\"") else { return false }
        let start = index &+ 1
        guard let (close, kind) = stringEnd(from: start) else { return false }
        let length = close &- start
        if length < Int(TapeWord.payloadMask) {
            tape.words[end] = TapeWord.make(kind, payload: UInt64(truncatingIfNeeded: length), offset: start)
            end &+= 1
        } else {
            tape.words[end] = TapeWord.make(TapeKind.longString, payload: kind, offset: start)
            tape.words[end &+ 1] = UInt64(truncatingIfNeeded: length)
            end &+= 2
        }
        index = close &+ 1
        if shape & TapeWord.withoutShape == 0 {
            let parent = Int(truncatingIfNeeded: shape)
            let child = shapes.child(
                of: parent,
                spelled: UnsafeBufferPointer(start: bytes + start, count: length),
                kind: kind
            )
            let members = UInt64(truncatingIfNeeded: shapes[parent].pointee.count &+ 1)
            shape = child != 0 ? UInt64(truncatingIfNeeded: child) : TapeWord.withoutShape | members
        } else if shape & TapeWord.maximumCount < TapeWord.maximumCount {
            shape &+= 1
        }
        return true
    }
}
