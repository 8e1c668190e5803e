/// Where the members of an object are on the tape, for those that are not read in their order.
struct MemberIndex {
    /// Where the keys are.
    private(set) var positions: [UInt32] = []
    /// The first bytes of the keys, and below these their lengths; only of objects without a shape.
    private var prefixes: [UInt64] = []
    /// The first member of each name; only where that is quicker, or keys are converted.
    private var names: [String: Int]?

    /// An object with more members than these is looked up by its names.
    private static let maximumPrefixes = 64

    /// Finds out where the members of an object with a shape are.
    mutating func index(shaped object: Int, on tape: Tape) {
        positions.removeAll(keepingCapacity: true)
        var position = object &+ 2
        let end = TapeWord.lower(tape[object])
        while position < end {
            positions.append(UInt32(truncatingIfNeeded: position))
            // A key of a shape always has one word.
            position = tape.end(of: position &+ 1)
        }
    }

    /// Finds out where the members of an object are, and what their keys are.
    mutating func index(_ object: Int, of state: UnsafeMutablePointer<DecodingState>, _ path: () -> [any CodingKey]) {
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
        if state.pointee.keyConversion == .none, positions.count <= Self.maximumPrefixes {
            for position in positions { prefixes.append(state.prefix(ofKeyAt: Int(position))) }
        } else {
            let keys = state.convertedKeys(positions, path)
            var names: [String: Int] = [:]
            names.reserveCapacity(keys.count)
            for (place, key) in keys.enumerated() where names[key] == nil { names[key] = place }
            self.names = names
        }
    }

    /// The place of the first member with a name; nil where there is none.
    func place(of name: String, in state: UnsafeMutablePointer<DecodingState>) -> Int? {
        if let names { return names[name] }
        var utf8 = name
        return utf8.withUTF8 { bytes in
            let prefix = KeyPrefix.of(bytes)
            for place in prefixes.indices {
                if prefixes[place] == prefix {
                    if state.isKey(at: Int(positions[place]), bytes) { return place }
                } else if prefixes[place] == KeyPrefix.special {
                    // With escapes it may be spelled differently, and Unicode holds some equal that have other bytes.
                    if state.string(ofKeyAt: Int(positions[place])) == name { return place }
                }
            }
            return nil
        }
    }
}
