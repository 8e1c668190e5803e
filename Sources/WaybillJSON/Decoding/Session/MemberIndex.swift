/// The indices of an object's members on the tape, for those that are not read in their order.
struct MemberIndex {
    /// The indices of the keys.
    private(set) var positions: [UInt32] = []
    /// The index of the key of each case of an enumeration; 0 for none.
    private var cases: [UInt32] = []
    /// Whether there are keys in ASCII that the table of keys did not have when the document was read.
    private var hasNewKeys = false
    /// Whether there are keys with escapes, or of other characters.
    private var hasOtherKeys = false
    /// The first bytes of the keys, and below these their lengths.
    private var prefixes: [UInt64] = []
    /// The first member of each name; only if that is quicker, or keys are converted.
    private(set) var names: [String: Int]?

    /// An object with more members than these is looked up by its names.
    private static let maximumPrefixes = 64
    /// For more members than these no memory is kept from one document to the next.
    private static let keptMembers = 1024

    /// Frees the memory that only one large object needed, and the names, which are the document's.
    mutating func shrink() {
        names = nil
        if positions.capacity > Self.keptMembers { positions = [] }
    }

    /// Computes the indices of the members of an object with a shape.
    mutating func preparePlaces(of object: Int, on tape: Tape) {
        positions.removeAll(keepingCapacity: true)
        var position = object &+ 2
        let end = TapeWord.lower(tape[object])
        while position < end {
            positions.append(UInt32(truncatingIfNeeded: position))
            // A key of a shape always has one word.
            position = tape.end(of: position &+ 1)
        }
    }

    /// Finds the members whose keys are the cases of an enumeration.
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

    /// Returns the index of a case's key; nil if that is unknown without its name, and 0 if the key is absent.
    @inline(__always)
    func position(ofCase index: Int, isKnown: @autoclosure () -> Bool) -> Int? {
        // An earlier member may be spelled differently.
        if hasOtherKeys || hasNewKeys && !isKnown() { return nil }
        return Int(cases[index])
    }

    /// Computes the indices and the keys of an object's members.
    ///
    /// - Parameters:
    ///   - object: the index of the object.
    ///   - state: the state of the call.
    ///   - convertedKeys: the keys in their order, converted by the decoder's strategy; nil without a strategy. They
    ///     are made before, because a strategy is code of the user's, which may use the same container.
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

    /// Returns the position of the first member with a name; nil if no member has it.
    func place(of name: String, in state: UnsafeMutablePointer<DecodingState>) -> Int? {
        if let names { return names[name] }
        var utf8 = name
        return utf8.withUTF8 { bytes in
            let prefix = bytes.allSatisfy { $0 < 0x80 } ? KeyPrefix.of(bytes) : KeyPrefix.special
            for place in prefixes.indices {
                if prefix != KeyPrefix.special, prefixes[place] == prefix {
                    if state.isKey(at: Int(positions[place]), bytes) { return place }
                } else if prefixes[place] == KeyPrefix.special || prefix == KeyPrefix.special {
                    // With escapes it may be spelled differently, and Unicode holds some equal that have other bytes.
                    if state.text(at: Int(positions[place])) == name { return place }
                }
            }
            return nil
        }
    }
}

/// The first seven bytes of a key and its length in one word, by which most keys differ.
enum KeyPrefix {
    /// Stands for a key that cannot be compared by its bytes.
    static let special: UInt64 = 0xFF

    /// Returns the prefix of a key that is spelled without escapes in ASCII.
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
