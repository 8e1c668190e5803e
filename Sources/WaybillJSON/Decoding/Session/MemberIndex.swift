/// The tape indices of an object's members, used for access out of order.
struct MemberIndex {
    /// The tape indices of the keys.
    private(set) var positions: [UInt32] = []
    /// The tape index of the key for each enumeration case; 0 if the case has no member.
    private var cases: [UInt32] = []
    /// Whether some ASCII keys were not in the key table when the document was scanned.
    private var hasNewKeys = false
    /// Whether some keys contain escapes or non-ASCII characters.
    private var hasOtherKeys = false
    /// The first bytes and the length of each key; see ``KeyPrefix``.
    private var prefixes: [UInt64] = []
    /// The position of the first member with each name; nil if keys are not converted and the object is small enough to
    /// compare prefixes.
    private(set) var names: [String: Int]?

    /// The number of members above which a dictionary of names is used.
    private static let maximumPrefixes = 64
    /// The number of members above which memory is not reused for the next document.
    private static let keptMembers = 1024

    /// Frees excess memory after a large object, and the names, which belong to the document.
    mutating func shrink() {
        names = nil
        if positions.capacity > Self.keptMembers { positions = [] }
    }

    /// Computes the tape indices of the members of an object with a shape.
    mutating func preparePlaces(of object: Int, on tape: Tape) {
        positions.removeAll(keepingCapacity: true)
        var position = object &+ 2
        let end = TapeWord.lower(tape[object])
        while position < end {
            positions.append(UInt32(truncatingIfNeeded: position))
            // A key in a shape always occupies one word.
            position = tape.end(of: position &+ 1)
        }
    }

    /// Finds the members whose keys match cases of an enumeration.
    mutating func prepareCases(_ table: borrowing KeyCaseMap, of object: Int, on tape: Tape) {
        if cases.isEmpty { cases = Array(repeating: 0, count: KeyType.maximumKeys) }
        var (hasNewKeys, hasOtherKeys) = (false, false)
        cases.withUnsafeMutableBufferPointer { cases in
            cases.update(repeating: 0)
            var position = object &+ 2
            let end = TapeWord.lower(tape[object])
            while position < end {
                let word = tape[position]
                if TapeWord.kind(word) == TapeKind.key {
                    let key = Int(truncatingIfNeeded: TapeWord.payload(word))
                    if let index = table.index(ofKey: key), cases[index] == 0 {
                        cases[index] = UInt32(truncatingIfNeeded: position)
                    }
                    position = tape.end(of: position &+ 1)
                } else {
                    if TapeWord.kind(word) == TapeKind.asciiString {
                        hasNewKeys = true
                    } else {
                        hasOtherKeys = true
                    }
                    position = tape.end(of: tape.end(of: position))
                }
            }
        }
        (self.hasNewKeys, self.hasOtherKeys) = (hasNewKeys, hasOtherKeys)
    }

    /// Returns the tape index of a case's key; nil if it must be looked up by name, 0 if it is absent.
    @inline(__always)
    func position(ofCase index: Int, isKnown: @autoclosure () -> Bool) -> Int? {
        // An earlier member may have the same key in a different spelling.
        if hasOtherKeys || hasNewKeys && !isKnown() { return nil }
        return Int(cases[index])
    }

    /// Computes the tape indices and the names of an object's members.
    ///
    /// - Parameters:
    ///   - object: the tape index of the object.
    ///   - state: the state of the call.
    ///   - convertedKeys: the keys in document order, converted by the decoder's key strategy; nil if the decoder does
    ///     not convert keys. The caller converts them in advance, because a strategy is user code that may access the
    ///     same container.
    mutating func prepareNames(
        of object: Int,
        _ state: UnsafeMutablePointer<DecodingState>,
        convertedKeys: [String]?
    ) {
        let tape = state.pointee.tape
        positions.removeAll(keepingCapacity: true)
        prefixes.removeAll(keepingCapacity: true)
        names = nil
        var position = object &+ 2
        let end = TapeWord.lower(tape[object])
        while position < end {
            positions.append(UInt32(truncatingIfNeeded: position))
            position = tape.end(of: tape.end(of: position))
        }
        if convertedKeys == nil, positions.count <= Self.maximumPrefixes {
            for position in positions { prefixes.append(state.prefix(ofKeyAt: Int(position))) }
        } else {
            let keys = convertedKeys ?? positions.map { state.text(at: Int($0)) }
            var names: [String: Int] = [:]
            names.reserveCapacity(keys.count)
            for (place, key) in keys.enumerated() where names[key] == nil { names[key] = place }
            self.names = names
        }
    }

    /// Returns the position of the first member with the given name; nil if no member has it.
    func place(of name: String, in state: UnsafeMutablePointer<DecodingState>) -> Int? {
        if let names { return names[name] }
        var utf8 = name
        return utf8.withUTF8 { bytes in
            let prefix = bytes.allSatisfy { $0 < 0x80 } ? KeyPrefix.of(bytes) : KeyPrefix.special
            for place in prefixes.indices {
                if prefix != KeyPrefix.special, prefixes[place] == prefix {
                    if state.isKey(at: Int(positions[place]), bytes) { return place }
                } else if prefixes[place] == KeyPrefix.special || prefix == KeyPrefix.special {
                    // The key may contain escapes, or be canonically equivalent to the name with different bytes.
                    if state.text(at: Int(positions[place])) == name { return place }
                }
            }
            return nil
        }
    }
}

/// The length and the first seven bytes of a key, packed into one word, which distinguishes most keys.
enum KeyPrefix {
    /// The prefix of a key that cannot be compared bytewise.
    static let special: UInt64 = 0xFF

    /// Returns the prefix of an ASCII key without escapes.
    @inline(__always)
    static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var word = UInt64(truncatingIfNeeded: min(bytes.count, 0x7F))
        var index = 0
        while index < min(bytes.count, 7) {
            word |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: 8 &* (index &+ 1))
            index &+= 1
        }
        return word
    }
}
