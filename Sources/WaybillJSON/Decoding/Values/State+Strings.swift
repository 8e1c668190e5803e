extension UnsafeMutablePointer<DecodingState> {
    /// Returns the bytes between the quotation marks of the string or key at an index, and the kind of string.
    @inline(__always)
    func spelling(at index: Int) -> (bytes: UnsafeBufferPointer<UInt8>, kind: UInt64) {
        let word = pointee.tape[index]
        var kind = TapeWord.kind(word)
        var length = Int(truncatingIfNeeded: TapeWord.payload(word))
        if kind == TapeKind.key {
            kind = TapeKind.asciiString
            length = Int(pointee.shapes.keys[length].pointee.length)
        } else if kind == TapeKind.longString {
            kind = TapeWord.payload(word)
            length = Int(truncatingIfNeeded: pointee.tape[index &+ 1])
        }
        return (UnsafeBufferPointer(start: pointee.bytes + TapeWord.lower(word), count: length), kind)
    }

    /// Returns the text of the string or key at an index.
    @inline(__always)
    func text(at index: Int) -> String {
        let word = pointee.tape[index]
        if TapeWord.kind(word) == TapeKind.asciiString {
            let length = Int(truncatingIfNeeded: TapeWord.payload(word))
            return ValidText.ascii(
                pointee.bytes,
                from: TapeWord.lower(word),
                length: length,
                count: pointee.count
            )
        }
        return otherText(at: index)
    }

    @inline(never)
    private func otherText(at index: Int) -> String {
        let (bytes, kind) = spelling(at: index)
        if kind == TapeKind.asciiString {
            let start = TapeWord.lower(pointee.tape[index])
            return ValidText.ascii(pointee.bytes, from: start, length: bytes.count, count: pointee.count)
        }
        return kind == TapeKind.escapedString ? JSONEscapes.resolving(bytes) : ValidText.utf8(bytes)
    }

    /// Returns the first bytes of a key, for ``MemberIndex``.
    func prefix(ofKeyAt index: Int) -> UInt64 {
        let (bytes, kind) = spelling(at: index)
        return kind == TapeKind.asciiString ? KeyPrefix.of(bytes) : KeyPrefix.special
    }

    /// Whether a key has these bytes.
    @inline(__always)
    func isKey(at index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let (bytes, _) = spelling(at: index)
        guard bytes.count == name.count else { return false }
        guard let start = bytes.baseAddress else { return true }
        return start.isEqual(to: name.baseAddress, count: name.count)
    }

    /// Returns a string.
    @inline(__always)
    func string(at index: Int, in container: Int) throws -> String {
        let kind = TapeWord.kind(pointee.tape[index])
        guard kind >= TapeKind.asciiString, kind <= TapeKind.longString else {
            throw mismatch(String.self, at: index, in: container)
        }
        return text(at: index)
    }

    /// Returns a Boolean value.
    @inline(__always)
    func bool(at index: Int, in container: Int) throws -> Bool {
        let kind = TapeWord.kind(pointee.tape[index])
        guard kind == TapeKind.true || kind == TapeKind.false else {
            throw mismatch(Bool.self, at: index, in: container)
        }
        return kind == TapeKind.true
    }

    /// Whether a value is null.
    @inline(__always)
    func isNull(_ index: Int) -> Bool { TapeWord.kind(pointee.tape[index]) == TapeKind.null }
}
