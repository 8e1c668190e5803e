extension UnsafeMutablePointer<DecodingState> {
    /// Returns the bytes between the quotation marks of a string or key, and its kind.
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

    /// Returns the text of a string or key, with lone surrogates replaced by U+FFFD.
    @inline(__always)
    func text(at index: Int) -> String {
        let word = pointee.tape[index]
        if TapeWord.kind(word) == TapeKind.asciiString {
            let length = Int(truncatingIfNeeded: TapeWord.payload(word))
            return ValidText.ascii(
                pointee.bytes,
                from: TapeWord.lower(word),
                length: length,
                count: pointee.count,
                makesSmall: pointee.makesSmallStrings
            )
        }
        return otherText(at: index)
    }

    @inline(never)
    private func otherText(at index: Int) -> String {
        let (bytes, kind) = spelling(at: index)
        if kind == TapeKind.asciiString {
            return ValidText.ascii(
                pointee.bytes,
                from: TapeWord.lower(pointee.tape[index]),
                length: bytes.count,
                count: pointee.count,
                makesSmall: pointee.makesSmallStrings
            )
        }
        return kind == TapeKind.plainString ? ValidText.utf8(bytes) : JSONEscapes.resolving(bytes)
    }

    /// Returns the text of a string other than plain ASCII.
    @inline(never)
    private func otherString(at index: Int, in container: Int) throws -> String {
        if hasRejectedSurrogate(index) {
            throw corrupted(FixedReason.loneSurrogateInString, codingPath(to: index, in: container))
        }
        return otherText(at: index)
    }

    /// Whether a string or key has a lone surrogate that the decoder's strategy rejects.
    func hasRejectedSurrogate(_ index: Int) -> Bool {
        spelling(at: index).kind == TapeKind.surrogateString && !pointee.replacesLoneSurrogates
    }

    /// Returns the text of a key.
    ///
    /// - Parameters:
    ///   - index: the tape index of the key.
    ///   - object: the tape index of its object.
    /// - Returns: the text.
    /// - Throws: `DecodingError.dataCorrupted` for a key with a lone surrogate, unless the decoder replaces lone
    ///   surrogates.
    @inline(__always)
    func keyText(at index: Int, of object: Int) throws -> String {
        try checkKey(at: index, of: object)
        return text(at: index)
    }

    /// Throws an error if a key has a lone surrogate that the decoder's strategy rejects.
    @inline(__always)
    func checkKey(at index: Int, of object: Int) throws {
        let kind = TapeWord.kind(pointee.tape[index])
        guard kind == TapeKind.surrogateString || kind == TapeKind.longString else { return }
        try checkOtherKey(at: index, of: object)
    }

    @inline(never)
    private func checkOtherKey(at index: Int, of object: Int) throws {
        guard hasRejectedSurrogate(index) else { return }
        let path = codingPath(to: pointee.tape.end(of: index), in: object)
        throw corrupted(FixedReason.loneSurrogateInKey, path)
    }

    /// Returns the prefix of a key, for ``MemberIndex``.
    func prefix(ofKeyAt index: Int) -> UInt64 {
        let (bytes, kind) = spelling(at: index)
        return kind == TapeKind.asciiString ? KeyPrefix.of(bytes) : KeyPrefix.special
    }

    /// Whether a key consists of these bytes.
    @inline(__always)
    func isKey(at index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let (bytes, _) = spelling(at: index)
        guard bytes.count == name.count else { return false }
        guard let start = bytes.baseAddress else { return true }
        return start.isEqual(to: name.baseAddress, count: name.count)
    }

    @inline(__always)
    func string(at index: Int, in container: Int) throws -> String {
        guard isString(index) else { throw mismatch(String.self, at: index, in: container) }
        let word = pointee.tape[index]
        guard TapeWord.kind(word) == TapeKind.asciiString else { return try otherString(at: index, in: container) }
        return ValidText.ascii(
            pointee.bytes,
            from: TapeWord.lower(word),
            length: Int(truncatingIfNeeded: TapeWord.payload(word)),
            count: pointee.count,
            makesSmall: pointee.makesSmallStrings
        )
    }

    @inline(__always)
    func isString(_ index: Int) -> Bool {
        let kind = TapeWord.kind(pointee.tape[index])
        return kind >= TapeKind.asciiString && kind <= TapeKind.longString
    }

    @inline(__always)
    func bool(at index: Int, in container: Int) throws -> Bool {
        let kind = TapeWord.kind(pointee.tape[index])
        guard kind == TapeKind.true || kind == TapeKind.false else {
            throw mismatch(Bool.self, at: index, in: container)
        }
        return kind == TapeKind.true
    }

    @inline(__always)
    func isNull(_ index: Int) -> Bool { TapeWord.kind(pointee.tape[index]) == TapeKind.null }

    /// Returns the position of a converted key in a shape; nil if the shape does not contain it.
    func place(of name: String, in shape: Int) -> Int? {
        var shape = shape
        var place: Int?
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        while shape != ShapeTable.root, shape != 0 {
            let current = pointee.shapes[shape].pointee
            let key = pointee.shapes.keys.spelling(of: Int(current.key))
            if pointee.keyConversion == .snakeCase {
                // Keys are visited from last to first, so if several convert to the same name, the first one wins.
                if SnakeCase.camelCase(String(decoding: key, as: UTF8.self)) == name { place = Int(current.count) - 1 }
            } else if isASCII ? name.utf8.elementsEqual(key) : String(decoding: key, as: UTF8.self) == name {
                // A non-ASCII name can be canonically equivalent to an ASCII key, such as the Kelvin sign to `K`.
                return Int(current.count) - 1
            }
            shape = Int(current.parent)
        }
        return place
    }

    /// Returns the converted keys of an object in document order; nil unless the decoder converts keys.
    func convertedKeys(of object: Int) -> [String]? {
        pointee.keyConversion == .none ? nil : keyNames(of: object)
    }

    /// Returns the keys of an object in document order, including duplicates, converted with the decoder's strategy.
    func keyNames(of object: Int) -> [String] {
        let path = pointee.keyConversion == .custom ? codingPath(to: object, in: container(of: object)) : []
        var names: [String] = []
        var position = object &+ 2
        let end = TapeWord.lower(pointee.tape[object])
        while position < end {
            names.append(session.strategies.keys.converting(text(at: position), in: path))
            position = pointee.tape.end(of: pointee.tape.end(of: position))
        }
        return names
    }
}
