/// A scanner that validates a document and writes its tape in a single pass.
///
/// It accepts only valid JSON (RFC 8259), without recursion and in linear time.
struct Scanner {
    let bytes: UnsafePointer<UInt8>
    /// The number of bytes.
    let count: Int
    // These are pointers, because storing both structures inline would copy them for most calls. A scanner of more than
    // four words would be repeatedly reloaded from memory.
    let tape: UnsafeMutablePointer<Tape>
    let shapes: UnsafeMutablePointer<ShapeTable>

    /// The text that may follow the value.
    enum Extent {
        /// Only whitespace.
        case wholeDocument
        /// Any text, because only one value is scanned.
        case oneValue
    }

    /// The reason for rejecting a document.
    enum Rejection {
        /// The document is not JSON.
        case syntax
        /// The document is nested too deeply.
        case depth
        /// The document is too large for 32-bit tape offsets.
        case size
    }

    /// Scans a value.
    ///
    /// - Parameters:
    ///   - position: the offset to start at. It is set to the end of the value, or to an offset near the syntax error.
    ///   - extent: the text that may follow the value.
    ///   - maximumDepth: the maximum nesting depth.
    ///   - powersOfTen: 10⁰ to 10⁸.
    /// - Returns: the reason for rejecting the value; nil if it is valid.
    func scan(
        from position: inout Int,
        _ extent: Extent,
        maximumDepth: Int,
        powersOfTen: UnsafePointer<UInt64>
    ) -> Rejection? {
        // Non-inlined functions take and return these variables by value, which keeps them in registers. This improves
        // throughput by 5% for documents with many members.
        var index = position
        var depth = 0
        // The open container and its progress: the shape of its members so far or the number of its elements.
        var container = 0
        var isObject = false
        var progress: UInt64 = 0
        var end = tape.pointee.count
        // Read once, because the compiler must assume that a write to the tape can change any other memory.
        var words = tape.pointee.words
        var limit = tape.pointee.capacity &- 8
        defer {
            position = index
            tape.pointee.count = end
        }

        value: while true {
            guard index < count else { return .syntax }
            var byte = bytes[index]
            if byte <= 0x20 {
                skipWhiteSpace(&index)
                guard index < count else { return .syntax }
                byte = bytes[index]
            }
            // Ensures that the value and the following key fit.
            if end > limit { (words, limit) = grow(to: end, at: index, extent: extent) }
            if byte == UInt8(ascii: "\"") {
                guard scanString(at: &index, on: words, end: &end) else { return .syntax }
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth &+= 1
                guard depth <= maximumDepth else { return .depth }
                if container != 0 {
                    words[container] = TapeWord.make(
                        isObject ? TapeKind.object : TapeKind.array,
                        payload: progress,
                        offset: 0
                    )
                }
                let outer = container
                words[end &+ 1] = UInt64(truncatingIfNeeded: container) &<< 32 | UInt64(truncatingIfNeeded: index)
                container = end
                end &+= 2
                index &+= 1
                skipWhiteSpace(&index)
                guard index < count else { return .syntax }
                isObject = byte == UInt8(ascii: "{")
                if isObject {
                    progress = UInt64(truncatingIfNeeded: ShapeTable.root)
                    if bytes[index] != UInt8(ascii: "}") {
                        let surroundings = surroundings(of: outer, words)
                        let expected = Int(shapes.pointee[surroundings].pointee.predictedInside)
                        if expected == 0 || !isKey(expected, &index, words, &end, &progress) {
                            let key = scanFirstKey(at: index, on: words, end: end, inside: surroundings)
                            guard key.isValid else { return .syntax }
                            (index, end, progress) = (key.index, key.end, key.shape)
                        }
                        guard scanColon(&index) else { return .syntax }
                        continue value
                    }
                } else {
                    progress = 0
                    if bytes[index] != UInt8(ascii: "]") {
                        progress = 1
                        continue value
                    }
                }
            } else if byte == UInt8(ascii: "-") || byte &- 0x30 < 10 {
                let numberEnd = scanNumber(at: index, on: words + end, powersOfTen)
                guard numberEnd > index else { return .syntax }
                index = numberEnd
                end &+= 2
            } else {
                guard scanLiteral(&index, words + end) else { return .syntax }
                end &+= 1
            }

            while container != 0 {
                guard index < count else { return .syntax }
                var byte = bytes[index]
                if byte <= 0x20 {
                    skipWhiteSpace(&index)
                    guard index < count else { return .syntax }
                    byte = bytes[index]
                }
                if byte == UInt8(ascii: ",") {
                    index &+= 1
                    if isObject {
                        if index < count, bytes[index] != UInt8(ascii: "\"") { skipWhiteSpace(&index) }
                        let expected =
                            progress & TapeWord.withoutShape == 0
                            ? Int(shapes.pointee[Int(truncatingIfNeeded: progress)].pointee.predicted) : 0
                        if expected == 0 || !isKey(expected, &index, words, &end, &progress) {
                            let key = scanOtherKey(at: index, on: words, end: end, shape: progress)
                            guard key.isValid else { return .syntax }
                            (index, end, progress) = (key.index, key.end, key.shape)
                        }
                        guard scanColon(&index) else { return .syntax }
                    } else if progress < TapeWord.maximumCount {
                        progress &+= 1
                    }
                    continue value
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .syntax }
                index &+= 1
                words[container] = TapeWord.make(
                    isObject ? TapeKind.object : TapeKind.array,
                    payload: progress,
                    offset: end
                )
                container = TapeWord.upper(words[container &+ 1])
                depth &-= 1
                if container != 0 {
                    let word = words[container]
                    isObject = TapeWord.kind(word) == TapeKind.object
                    progress = TapeWord.payload(word)
                }
            }
            guard extent == .wholeDocument else { return nil }
            skipWhiteSpace(&index)
            return index == count ? nil : .syntax
        }
    }

    /// Grows the tape.
    @inline(never)
    private func grow(to end: Int, at index: Int, extent: Extent) -> (words: UnsafeMutablePointer<UInt64>, limit: Int) {
        tape.pointee.count = end
        // The text after a single value needs no words on the tape.
        let expectedEnd = extent == .wholeDocument ? count : min(count, 2 &* index &+ 4096)
        tape.pointee.grow(toHold: end &+ 64, read: index, of: expectedEnd)
        return (tape.pointee.words, tape.pointee.capacity &- 8)
    }

    /// Returns the shape, up to the latest key, of the innermost object that is or encloses a container; 0 if it has
    /// none.
    @inline(__always)
    private func surroundings(of container: Int, _ words: UnsafeMutablePointer<UInt64>) -> Int {
        var container = container
        // Nested arrays are skipped to find the object. The loop is bounded to keep the scan linear.
        for _ in 0..<4 where container != 0 && TapeWord.kind(words[container]) == TapeKind.array {
            container = TapeWord.upper(words[container &+ 1])
        }
        let word = words[container]
        guard container != 0, TapeWord.kind(word) == TapeKind.object else { return 0 }
        let payload = TapeWord.payload(word)
        return payload & TapeWord.withoutShape == 0 ? Int(truncatingIfNeeded: payload) : 0
    }
}

extension Scanner {
    /// Skips spaces, tabs, line feeds and carriage returns.
    @inline(__always)
    func skipWhiteSpace(_ index: inout Int) {
        if index < count, bytes[index] <= 0x20 { skipLongerWhiteSpace(&index) }
    }

    @inline(__always)
    private func skipLongerWhiteSpace(_ index: inout Int) {
        var position = index
        while position < count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            position &+= 1
            // Indentation consists of runs of spaces.
            while position &+ 8 <= count {
                let word = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
                let other = word ^ 0x2020_2020_2020_2020
                guard other == 0 else {
                    position &+= other.trailingZeroBitCount &>> 3
                    break
                }
                position &+= 8
            }
        }
        index = position
    }

    /// Scans `true`, `false` or `null`, and returns whether one of them is present.
    @inline(__always)
    func scanLiteral(_ index: inout Int, _ word: UnsafeMutablePointer<UInt64>) -> Bool {
        guard index &+ 4 <= count else { return false }
        let start = index
        let kind: UInt64
        switch UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt32.self).littleEndian {
        case 0x6C6C_756E: (kind, index) = (TapeKind.null, index &+ 4)
        case 0x6575_7274: (kind, index) = (TapeKind.true, index &+ 4)
        case 0x736C_6166:
            guard index &+ 5 <= count, bytes[index &+ 4] == UInt8(ascii: "e") else { return false }
            (kind, index) = (TapeKind.false, index &+ 5)
        default: return false
        }
        word.pointee = TapeWord.make(kind, payload: 0, offset: start)
        return true
    }
}
