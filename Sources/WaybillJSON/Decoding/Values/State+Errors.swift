extension UnsafeMutablePointer<DecodingState> {
    /// Returns the error for a value of an unexpected kind.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        mismatch(type, at: index, codingPath(to: index, in: container))
    }

    /// Returns the error for a value of an unexpected kind at a known path.
    @inline(never)
    func mismatch(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        // The message omits the type: the error contains it, and computing its name would dominate the cost of a
        // `try?`.
        if isNull(index) { return error(path, "Found null instead of a value.") { .valueNotFound(type, $0) } }
        return error(path, "Found \(kindName(at: index)) instead.") { .typeMismatch(type, $0) }
    }

    /// Returns the error for a value of the wrong kind for a date.
    ///
    /// The error has the same type as in Foundation's decoder; the message states that a date was expected.
    @inline(never)
    func dateMismatch(_ type: Any.Type, at index: Int, in container: Int) -> DecodingError {
        error(codingPath(to: index, in: container), "Found \(kindName(at: index)) instead of a date.") {
            .typeMismatch(type, $0)
        }
    }

    /// Returns the error for a number that a type cannot represent without loss.
    @inline(never)
    func unfitting(_ digits: UnsafeBufferPointer<UInt8>, at index: Int, in container: Int) -> DecodingError {
        let text = String(decoding: digits.prefix(40), as: UTF8.self) + (digits.count > 40 ? "…" : "")
        return corrupted("The number \(text) does not fit into the type.", codingPath(to: index, in: container))
    }

    /// Returns the error for a number that has a fraction or is out of range for an integer type.
    @inline(never)
    func unfittingInteger(_ digits: UnsafeBufferPointer<UInt8>, at index: Int, in container: Int) -> DecodingError {
        guard NumberText(digits).exponent < 0 else { return unfitting(digits, at: index, in: container) }
        let text = String(decoding: digits.prefix(40), as: UTF8.self) + (digits.count > 40 ? "…" : "")
        return corrupted(
            "The number \(text) is not a whole number; declare Double or Decimal for it.",
            codingPath(to: index, in: container)
        )
    }

    /// Returns the error for a value with invalid content.
    @inline(never)
    func corrupted(_ reason: String, _ path: [any CodingKey]) -> DecodingError {
        error(path, reason) { .dataCorrupted($0) }
    }

    /// Returns an error that references the document, so that its location can be computed later.
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

    /// Returns the path from the root of the document to a value.
    ///
    /// The tape stores the parent of each container, so the path is built upward. The index of an array element is
    /// counted from a recently requested element, so iterating over an array takes linear time overall.
    ///
    /// - Parameters:
    ///   - index: the tape index of the value.
    ///   - container: the tape index of its container; 0 for the root value.
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

    /// Returns the parent of an array or object; 0 if it is the root value.
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

    /// Returns the coding key used to request a member, if a container for its object is still in use.
    private func requestedKey(_ name: String, in object: Int) -> any CodingKey {
        var next = pointee.firstCursor
        while let cursor = next {
            if let key = cursor.key(named: name, in: object) { return key }
            next = cursor.pointee.next
        }
        for owner in pointee.owners.suffix(DecodingState.searchedOwners) {
            let key = owner._withUnsafeGuaranteedRef { $0.cursor.key(named: name, in: object) }
            if let key { return key }
        }
        return PathKey(name)
    }

    /// Returns the tape index of the key for a member's value.
    private func keyIndex(of value: Int) -> Int {
        // Only very long keys have two words. The second word is the length, which is below 2³² and therefore has the
        // kind `null`, unlike the first word of any key.
        TapeWord.kind(pointee.tape[value &- 1]) == TapeKind.null ? value &- 2 : value &- 1
    }

    private func element(_ index: Int, of array: Int, _ depth: Int) -> Int {
        guard !pointee.isDetached else { return countElements(of: array, before: index) }
        // There are several entries per depth, because some types read several arrays in parallel. The most recent
        // entry comes first.
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

    /// Returns the key of a value that represents a missing member; nil for a value in the document.
    private func absentKey(_ index: Int) -> String? {
        let place = index - pointee.tape.count
        return pointee.absentValues.indices.contains(place) ? pointee.absentValues[place] : nil
    }
}
