extension UnsafeMutablePointer<DecodingState> {
    /// The tape indices of a value and its container; the container is 0 for the root value.
    typealias Place = (index: Int, container: Int)

    /// Returns the place of the value at the given path.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - matching: the rule for matching document keys to path keys.
    /// - Returns: the place.
    /// - Throws: `DecodingError` if there is no value at the path.
    func place(at path: [EnvelopeKey], matching: KeyMatching = .exact) throws -> Place {
        let (place, absent) = walk(path, matching)
        if let absent { throw missing(absent, in: place) }
        return place
    }

    /// Returns the place of the value at the given path; nil if it is missing or `null`.
    func presentPlace(at path: [EnvelopeKey], matching: KeyMatching) -> Place? {
        let (place, absent) = walk(path, matching)
        return absent == nil && !isNull(place.index) ? place : nil
    }

    /// Follows a path as far as the document contains it.
    private func walk(_ path: [EnvelopeKey], _ matching: KeyMatching) -> (place: Place, absent: EnvelopeKey?) {
        var place: Place = (index: 1, container: 0)
        for step in path {
            guard let index = find(step, in: place.index, matching) else { return (place, step) }
            place = (index, place.index)
        }
        return (place, nil)
    }

    private func find(_ step: EnvelopeKey, in container: Int, _ matching: KeyMatching) -> Int? {
        switch step {
        case .key(let name):
            guard TapeWord.kind(pointee.tape[container]) == TapeKind.object else { return nil }
            if let value = member(name, of: container) { return value }
            return matching == .similar ? similarMember(name, of: container) : nil
        case .index(let index):
            guard TapeWord.kind(pointee.tape[container]) == TapeKind.array else { return nil }
            let count = elementCount(of: container)
            let target = index < 0 ? count + index : index
            guard target >= 0, target < count else { return nil }
            var position = container &+ 2
            for _ in 0..<target { position = pointee.tape.end(of: position) }
            return position
        }
    }

    /// Returns the tape index of the first value with a given name.
    private func member(_ name: String, of object: Int) -> Int? {
        var utf8 = name
        return utf8.withUTF8 { bytes in
            // Non-ASCII text can be canonically equivalent to ASCII, so only ASCII is compared bytewise.
            let isASCII = bytes.allSatisfy { $0 < 0x80 }
            var position = object &+ 2
            let end = TapeWord.lower(pointee.tape[object])
            while position < end {
                let value = pointee.tape.end(of: position)
                let isPlain = isASCII && spelling(at: position).kind == TapeKind.asciiString
                if isPlain ? isKey(at: position, bytes) : text(at: position) == name { return value }
                position = pointee.tape.end(of: value)
            }
            return nil
        }
    }

    /// Returns the tape index of the value whose name, converted or not, equals the given one except for case, `_` and
    /// `-`; nil unless there is exactly one.
    private func similarMember(_ name: String, of object: Int) -> Int? {
        let folded = KeySpelling.folded(name)
        let converted = pointee.keyConversion == .none ? nil : keyNames(of: object)
        var found: Int?
        var position = object &+ 2
        let end = TapeWord.lower(pointee.tape[object])
        var place = 0
        while position < end {
            let value = pointee.tape.end(of: position)
            if KeySpelling.folded(text(at: position)) == folded
                || converted.map({ KeySpelling.folded($0[place]) }) == folded
            {
                // Two similar keys are ambiguous.
                guard found == nil else { return nil }
                found = value
            }
            position = pointee.tape.end(of: value)
            place += 1
        }
        return found
    }

    private func missing(_ step: EnvelopeKey, in place: Place) -> DecodingError {
        let kind = TapeWord.kind(pointee.tape[place.index])
        switch step {
        case .key(let name):
            guard kind == TapeKind.object else {
                return mismatch([String: Any].self, at: place.index, in: place.container)
            }
            return error(codingPath(to: place.index, in: place.container), "The object has no such key.") {
                .keyNotFound(PathKey(name), $0)
            }
        case .index(let index):
            guard kind == TapeKind.array else { return mismatch([Any].self, at: place.index, in: place.container) }
            let count = elementCount(of: place.index)
            let target = index < 0 ? count + index : index
            let path = codingPath(to: place.index, in: place.container) + [PathKey(index: Swift.max(target, 0))]
            return error(path, "The array has \(count) elements.") { .valueNotFound(Any.self, $0) }
        }
    }
}

/// The rule for matching document keys to path keys.
package enum KeyMatching: Sendable {
    /// Keys must be equal.
    case exact
    /// Equal keys match. If no key is equal, a key that differs only in case, `_` and `-` matches, unless there are
    /// several.
    case similar
}
