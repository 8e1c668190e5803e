extension Scanner {
    /// Scans the first key of an object if it differs from the predicted one.
    ///
    /// - Parameters:
    ///   - index: the offset of the key.
    ///   - words: the tape.
    ///   - end: the number of words on the tape.
    ///   - surroundings: the shape of the enclosing object up to the key whose value contains this object; 0 if it has
    ///     no shape.
    /// - Returns: the key.
    @inline(never)
    func scanFirstKey(
        at index: Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: Int,
        inside surroundings: Int
    ) -> ScannedKey {
        let key = scanUnexpectedKey(at: index, on: words, end: end, shape: UInt64(truncatingIfNeeded: ShapeTable.root))
        if key.isValid, key.shape & TapeWord.withoutShape == 0 {
            shapes.pointee[surroundings].pointee.predictedInside = UInt16(truncatingIfNeeded: key.shape)
        }
        return key
    }

    /// Scans a key that differs from the predicted one.
    ///
    /// It first tries the key that followed before the most recent one, because optional members are absent from some
    /// objects.
    ///
    /// - Parameters:
    ///   - index: the offset of the key.
    ///   - words: the tape.
    ///   - end: the number of words on the tape.
    ///   - shape: the shape of the preceding keys.
    /// - Returns: the key.
    @inline(never)
    func scanOtherKey(
        at index: Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: Int,
        shape: UInt64
    ) -> ScannedKey {
        var key = ScannedKey(index: index, end: end, shape: shape)
        guard shape & TapeWord.withoutShape == 0 else {
            return scanUnexpectedKey(at: index, on: words, end: end, shape: shape)
        }
        let expected = Int(shapes.pointee[Int(truncatingIfNeeded: shape)].pointee.predictedNext)
        if expected == 0 || !isKey(expected, &key.index, words, &key.end, &key.shape) {
            key = scanUnexpectedKey(at: index, on: words, end: end, shape: shape)
            guard key.isValid, key.shape & TapeWord.withoutShape == 0 else { return key }
        }
        let pointer = shapes.pointee[Int(truncatingIfNeeded: shape)]
        pointer.pointee.predictedNext = pointer.pointee.predicted
        pointer.pointee.predicted = UInt16(truncatingIfNeeded: key.shape)
        return key
    }

    /// Scans the colon after a key, and returns whether it is present.
    @inline(__always)
    func scanColon(_ index: inout Int) -> Bool {
        if index < count, bytes[index] == UInt8(ascii: ":") {
            index &+= 1
            return true
        }
        skipWhiteSpace(&index)
        guard index < count, bytes[index] == UInt8(ascii: ":") else { return false }
        index &+= 1
        return true
    }

    /// Scans a key if it equals the last key of the given shape, and returns whether it does.
    @inline(__always)
    func isKey(
        _ expected: Int,
        _ index: inout Int,
        _ words: UnsafeMutablePointer<UInt64>,
        _ end: inout Int,
        _ shape: inout UInt64
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
            guard index &+ 2 &+ length <= count else { return false }
            let tail = UnsafeRawPointer(start + (length &- 15))
            let low = tail.loadUnaligned(as: UInt64.self).littleEndian
            let high = tail.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
            guard (low ^ key.pointee.tailLow) | (high ^ key.pointee.tailHigh) == 0,
                length <= 31 || isLongKey(Int(key.pointee.key), start)
            else { return false }
        }
        words[end] = TapeWord.make(TapeKind.key, payload: UInt64(key.pointee.key), offset: index &+ 1)
        end &+= 1
        index &+= length &+ 2
        shape = UInt64(truncatingIfNeeded: expected)
        return true
    }

    /// Whether the bytes of a key between its first 16 and its last 15 also match.
    @inline(never)
    private func isLongKey(_ number: Int, _ start: UnsafePointer<UInt8>) -> Bool {
        let key = shapes.pointee.keys.spelling(of: number)
        guard let spelling = key.baseAddress else { return false }
        return (start + 16).isEqual(to: spelling + 16, count: key.count &- 31)
    }

    /// Scans a key that was not predicted.
    @inline(__always)
    private func scanUnexpectedKey(
        at index: Int,
        on words: UnsafeMutablePointer<UInt64>,
        end: Int,
        shape: UInt64
    ) -> ScannedKey {
        guard index < count, bytes[index] == UInt8(ascii: "\""), let (close, kind) = stringEnd(from: index &+ 1) else {
            return .invalid
        }
        let start = index &+ 1
        let length = close &- start
        var key = ScannedKey(index: close &+ 1, end: end &+ 1, shape: shape)
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
        } else if length < Int(TapeWord.payloadMask) {
            words[end] = TapeWord.make(kind, payload: UInt64(truncatingIfNeeded: length), offset: start)
        } else {
            words[end] = TapeWord.make(TapeKind.longString, payload: kind, offset: start)
            words[end &+ 1] = UInt64(truncatingIfNeeded: length)
            key.end &+= 1
        }
        if shape & TapeWord.withoutShape == 0 {
            let before = Int(truncatingIfNeeded: shape)
            let child = number == 0 ? 0 : shapes.pointee.child(of: before, key: number)
            key.shape =
                child != 0
                ? UInt64(truncatingIfNeeded: child)
                : TapeWord.withoutShape | UInt64(shapes.pointee[before].pointee.count &+ 1)
        } else if shape & TapeWord.maximumCount < TapeWord.maximumCount {
            key.shape &+= 1
        }
        return key
    }
}

/// A scanned key, and the state of the scan after it.
struct ScannedKey {
    /// The offset just past the key.
    var index: Int
    /// The number of words on the tape.
    var end: Int
    /// The shape including this key.
    var shape: UInt64

    /// The result for text that is not a key.
    static let invalid = ScannedKey(index: -1, end: 0, shape: 0)

    @inline(__always)
    var isValid: Bool { index >= 0 }
}
