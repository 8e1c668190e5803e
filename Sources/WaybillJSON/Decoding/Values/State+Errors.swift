extension UnsafeMutablePointer<DecodingState> {
    /// Returns the error of a value that is not of the expected kind.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        mismatch(type, at: index, codingPath(to: index, in: container))
    }

    /// Returns the same error, with a known path.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        // The error has the type; its name would cost more than all the rest, and `try?` swallows it.
        if isNull(index) { return error(path, "Found null instead of a value.") { .valueNotFound(type, $0) } }
        return error(path, "Found \(kindName(at: index)) instead.") { .typeMismatch(type, $0) }
    }

    /// Returns the error of a value that is not of the kind from which a date is made.
    ///
    /// It has the type that Foundation's decoder gives; its words say that a date is expected.
    @inline(never)
    func dateMismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        error(codingPath(to: index, in: container), "Found \(kindName(at: index)) instead of a date.") {
            .typeMismatch(type, $0)
        }
    }

    /// Returns the error of a number that a type cannot hold without loss.
    @inline(never)
    func unfitting(_ digits: UnsafeBufferPointer<UInt8>, at index: Int, in container: Int) -> DecodingError {
        let text = String(decoding: digits.prefix(40), as: UTF8.self) + (digits.count > 40 ? "…" : "")
        return corrupted("The number \(text) does not fit into the type.", codingPath(to: index, in: container))
    }

    /// Returns the error of a number that an integer type cannot hold: it has a fraction, or is out of range.
    @inline(never)
    func unfittingInteger(_ digits: UnsafeBufferPointer<UInt8>, at index: Int, in container: Int) -> DecodingError {
        guard NumberText(digits).exponent < 0 else { return unfitting(digits, at: index, in: container) }
        let text = String(decoding: digits.prefix(40), as: UTF8.self) + (digits.count > 40 ? "…" : "")
        return corrupted(
            "The number \(text) is not a whole number; declare Double or Decimal for it.",
            codingPath(to: index, in: container)
        )
    }

    /// Returns the error of a value whose content is not valid.
    @inline(never)
    func corrupted(_ reason: String, _ path: [any CodingKey]) -> DecodingError {
        error(path, reason) { .dataCorrupted($0) }
    }

    /// Returns an error with the document, for finding its location later.
    func error(
        _ path: [any CodingKey],
        _ reason: String,
        _ make: (DecodingError.Context) -> DecodingError
    ) -> DecodingError {
        .diagnosed(path, reason, in: session.document, make)
    }

    private func kindName(at index: Int) -> String {
        switch TapeWord.kind(pointee.tape[index]) {
        case TapeKind.null: "null"
        case TapeKind.true: "true"
        case TapeKind.false: "false"
        case TapeKind.array: "an array"
        case TapeKind.object: "an object"
        case TapeKind.positiveInteger, TapeKind.negativeInteger, TapeKind.decimal, TapeKind.longNumber: "a number"
        default: "a string"
        }
    }

    /// Returns the path from the top of the document to a value.
    ///
    /// The tape knows the container of each container, so the path is found upwards. The index of an element in its
    /// array is counted from the last one that was requested; that makes a loop over an array linear.
    ///
    /// - Parameters:
    ///   - index: the index of the value on the tape.
    ///   - container: the index of its container; 0 for the whole document.
    /// - Returns: the path.
    @inline(never)
    func codingPath(to index: Int, in container: Int) -> [any CodingKey] {
        var steps: [(container: Int, index: Int)] = []
        var step = (container: container, index: index)
        while step.container != 0 {
            steps.append(step)
            step = (self.container(of: step.container), step.container)
        }
        var path: [any CodingKey] = session.pathPrefix
        path.reserveCapacity(path.count + steps.count + 2)
        if let index = session.elementIndex { path.append(PathKey(index: index)) }
        for (depth, step) in steps.reversed().enumerated() {
            path.append(key(of: step.index, in: step.container, depth, path))
        }
        return path
    }

    /// Returns the container of an array or an object; 0 for none.
    func container(of index: Int) -> Int {
        TapeWord.upper(pointee.tape[index &+ 1])
    }

    private func key(of index: Int, in container: Int, _ depth: Int, _ path: [any CodingKey]) -> any CodingKey {
        if let name = absentKey(index) { return requestedKey(name, in: container) }
        if TapeWord.kind(pointee.tape[container]) == TapeKind.array {
            return PathKey(index: element(index, of: container, depth))
        }
        let name = text(at: keyIndex(of: index))
        if TapeWord.payload(pointee.tape[container]) & TapeWord.keepsKeys != 0 { return PathKey(name) }
        return requestedKey(session.strategies.keys.converting(name, in: path), in: container)
    }

    /// Returns the key by which a member was requested, if a container over its object still knows it.
    private func requestedKey(_ name: String, in object: Int) -> any CodingKey {
        var next = pointee.firstCursor
        while let cursor = next {
            if cursor.pointee.object == object, let key = cursor.pointee.keyType.pointee.key(name),
                key.stringValue == name
            {
                return key
            }
            next = cursor.pointee.next
        }
        return PathKey(name)
    }

    /// Returns the index on the tape of the key of a member's value.
    private func keyIndex(of value: Int) -> Int {
        // Only a very long key has two words. The second one is its length, below 2³², and no word of a key is as low.
        TapeWord.kind(pointee.tape[value &- 1]) == TapeKind.null ? value &- 2 : value &- 1
    }

    private func element(_ index: Int, of array: Int, _ depth: Int) -> Int {
        guard !pointee.isDetached else { return countElements(of: array, before: index) }
        // Several at each depth, as some types read arrays side by side; the latest comes first.
        let first = depth &* DecodingState.placesKept
        while pointee.lastElements.count < first &+ DecodingState.placesKept {
            pointee.lastElements.append(.init(array: 0, position: 0, index: 0))
        }
        var slot = first
        while slot < first &+ DecodingState.placesKept &- 1, pointee.lastElements[slot].array != array { slot &+= 1 }
        var last = pointee.lastElements[slot]
        if last.array != array || last.position > index { last = .init(array: array, position: array &+ 2, index: 0) }
        while last.position < index {
            last.position = pointee.tape.end(of: last.position)
            last.index &+= 1
        }
        while slot > first {
            pointee.lastElements[slot] = pointee.lastElements[slot &- 1]
            slot &-= 1
        }
        pointee.lastElements[first] = last
        return last.index
    }

    private func countElements(of array: Int, before index: Int) -> Int {
        var (position, count) = (array &+ 2, 0)
        while position < index {
            position = pointee.tape.end(of: position)
            count &+= 1
        }
        return count
    }

    /// Returns the key of a value that is not in the document; nil for one that is.
    private func absentKey(_ index: Int) -> String? {
        let place = index - pointee.tape.count
        return pointee.absentValues.indices.contains(place) ? pointee.absentValues[place] : nil
    }
}
