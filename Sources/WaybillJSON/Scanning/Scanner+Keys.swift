extension Scanner {
    /// Reads the first key of an object, and the colon after it.
    ///
    /// - Parameters:
    ///   - index: the offset of the key; then that after the colon.
    ///   - words: the tape.
    ///   - end: the number of words on the tape.
    ///   - shape: the shape of no keys; then the one with this key.
    ///   - surroundings: the shape that ends with the key under which the object is; 0 for none.
    /// - Returns: whether the key is valid.
    @inline(__always)
    func scanFirstKey(
        at index: inout Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: inout Int,
        shape: inout UInt64,
        inside surroundings: Int
    ) -> Bool {
        let expected = Int(shapes.pointee[surroundings].pointee.predictedInside)
        if expected == 0 || !isKey(expected, at: &index, on: words, end: &end, shape: &shape) {
            guard scanOtherKey(at: &index, on: words, end: &end, shape: &shape) else { return false }
            if shape & TapeWord.withoutShape == 0 {
                shapes.pointee[surroundings].pointee.predictedInside = UInt16(truncatingIfNeeded: shape)
            }
        }
        return scanColon(&index)
    }

    /// Reads a key, and the colon after it.
    ///
    /// - Parameters:
    ///   - index: the offset of the key; then that after the colon.
    ///   - words: the tape.
    ///   - end: the number of words on the tape.
    ///   - shape: the shape of the keys before it; then the one with this key.
    /// - Returns: whether the key is valid.
    @inline(__always)
    func scanKey(
        at index: inout Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: inout Int,
        shape: inout UInt64
    ) -> Bool {
        if shape & TapeWord.withoutShape == 0 {
            let before = Int(truncatingIfNeeded: shape)
            let expected = Int(shapes.pointee[before].pointee.predicted)
            if expected == 0 || !isKey(expected, at: &index, on: words, end: &end, shape: &shape) {
                guard scanSecondKey(at: &index, on: words, end: &end, shape: &shape) else { return false }
            }
        } else {
            guard scanOtherKey(at: &index, on: words, end: &end, shape: &shape) else { return false }
        }
        return scanColon(&index)
    }

    /// Reads the key that came the time before last, as optional members come and go, or any other.
    @inline(never)
    private func scanSecondKey(
        at index: inout Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: inout Int,
        shape: inout UInt64
    ) -> Bool {
        let before = shapes.pointee[Int(truncatingIfNeeded: shape)]
        let expected = Int(before.pointee.predictedNext)
        if expected == 0 || !isKey(expected, at: &index, on: words, end: &end, shape: &shape) {
            guard scanOtherKey(at: &index, on: words, end: &end, shape: &shape) else { return false }
            guard shape & TapeWord.withoutShape == 0 else { return true }
        }
        // What was learned may have moved the shapes.
        let after = shapes.pointee[Int(truncatingIfNeeded: shape)]
        let pointer = shapes.pointee[Int(after.pointee.parent)]
        pointer.pointee.predictedNext = pointer.pointee.predicted
        pointer.pointee.predicted = UInt16(truncatingIfNeeded: shape)
        return true
    }

    @inline(__always)
    private func scanColon(_ index: inout Int) -> Bool {
        if index < count, bytes[index] == UInt8(ascii: ":") {
            index &+= 1
            return true
        }
        skipWhiteSpace(&index)
        guard index < count, bytes[index] == UInt8(ascii: ":") else { return false }
        index &+= 1
        return true
    }

    /// Reads the key that a shape ends with, if it is there.
    @inline(__always)
    private func isKey(
        _ expected: Int,
        at index: inout Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: inout Int,
        shape: inout UInt64
    ) -> Bool {
        guard index &+ 17 <= count, bytes[index] == UInt8(ascii: "\"") else { return false }
        let key = shapes.pointee[expected]
        let start = bytes + (index &+ 1)
        let low = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian
        let high = UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        let difference =
            (low ^ key.pointee.low) & key.pointee.lowMask | (high ^ key.pointee.high) & key.pointee.highMask
        guard difference == 0 else { return false }
        let length = Int(key.pointee.length)
        if length >= 16 {
            guard isLongKey(Int(key.pointee.key), start, before: index &+ 2 &+ length) else { return false }
        }
        words[end] = TapeWord.make(TapeKind.key, payload: UInt64(key.pointee.key), offset: index &+ 1)
        end &+= 1
        index &+= length &+ 2
        shape = UInt64(truncatingIfNeeded: expected)
        return true
    }

    /// Whether the bytes of a long key after the first 16 are equal, too.
    @inline(never)
    private func isLongKey(_ number: Int, _ start: UnsafePointer<UInt8>, before end: Int) -> Bool {
        let key = shapes.pointee.keys.spelling(of: number)
        guard end <= count, start[key.count] == UInt8(ascii: "\""), let spelling = key.baseAddress else { return false }
        return (start + 16).isEqual(to: spelling + 16, count: key.count &- 16)
    }

    /// Reads a key that was not expected.
    @inline(never)
    private func scanOtherKey(
        at index: inout Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: inout Int,
        shape: inout UInt64
    ) -> Bool {
        guard index < count, bytes[index] == UInt8(ascii: "\"") else { return false }
        let start = index &+ 1
        guard let (close, kind) = stringEnd(from: start) else { return false }
        let length = close &- start
        index = close &+ 1
        var number = 0
        if kind == TapeKind.asciiString {
            number = shapes.pointee.keys.number(of: UnsafeBufferPointer(start: bytes + start, count: length))
        }
        if number != 0 {
            words[end] = TapeWord.make(
                TapeKind.key,
                payload: UInt64(truncatingIfNeeded: number),
                offset: start
            )
            end &+= 1
        } else if length < Int(TapeWord.payloadMask) {
            words[end] = TapeWord.make(kind, payload: UInt64(truncatingIfNeeded: length), offset: start)
            end &+= 1
        } else {
            words[end] = TapeWord.make(TapeKind.longString, payload: kind, offset: start)
            words[end &+ 1] = UInt64(truncatingIfNeeded: length)
            end &+= 2
        }
        if shape & TapeWord.withoutShape == 0 {
            let before = Int(truncatingIfNeeded: shape)
            let child = number == 0 ? 0 : shapes.pointee.child(of: before, key: number)
            shape =
                child != 0
                ? UInt64(truncatingIfNeeded: child)
                : TapeWord.withoutShape | UInt64(shapes.pointee[before].pointee.count &+ 1)
        } else if shape & TapeWord.maximumCount < TapeWord.maximumCount {
            shape &+= 1
        }
        return true
    }
}
