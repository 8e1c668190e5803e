import WaybillSystem

/// The result of one pass over a document: a sequence of words, in the order of the document, of which each value has
/// one or two, and of which containers know their end.
///
/// Word 0 is a null that belongs to no document: it ends the path up through the containers, and a decoder reads it for
/// an absent key.
struct Tape {
    /// The most bytes of a document: one of numbers of one digit has a few words more, whose indices have 32 bits too.
    static let maximumByteCount = Int(clamping: UInt32.max - 64)

    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int
    /// The number of words in use.
    var count: Int

    init() {
        capacity = 64
        words = Self.memory(nil, capacity)
        words[0] = 0
        count = 1
    }

    func deallocate() { free(words) }

    @inline(__always)
    subscript(_ index: Int) -> UInt64 { words[index] }

    /// Returns the index after the value at an index.
    @inline(__always)
    func end(of index: Int) -> Int {
        let word = words[index]
        let kind = TapeWord.kind(word)
        if kind >= TapeKind.array { return TapeWord.lower(word) }
        // A bit for each kind that has a second word.
        return index &+ 1 &+ Int(truncatingIfNeeded: (0b1000_0111_1000 as UInt64 &>> kind) & 1)
    }

    /// Reserves more words, as many as the rest of the document needs if it is like the part so far.
    ///
    /// - Parameters:
    ///   - minimum: the number of words that are needed.
    ///   - read: the number of bytes that were read.
    ///   - all: the number of all bytes.
    @inline(never)
    mutating func grow(toHold minimum: Int, read: Int, of all: Int) {
        let expected = Double(minimum) * Double(all) / Double(max(read, 1)) * 1.02
        resize(to: max(minimum + minimum / 4, Int(min(expected, Double(all) + 64))))
    }

    /// Reserves memory before a pass, so that the words are moved seldom.
    mutating func reserve(_ minimum: Int) {
        if minimum > capacity { resize(to: minimum) }
    }

    /// Frees the memory that only one large document needed.
    mutating func shrink(to maximum: Int) {
        count = 1
        if capacity > maximum { resize(to: maximum) }
    }

    /// Grows the memory after the words in use, and keeps all of them.
    mutating func growWithoutDocument(toHold minimum: Int) {
        let used = count
        count = capacity
        resize(to: max(minimum, capacity &+ capacity / 4))
        count = used
    }

    private mutating func resize(to newCapacity: Int) {
        words = Self.memory(words, newCapacity)
        capacity = newCapacity
    }

    /// Returns memory by the system's `realloc`, which moves the pages of large blocks instead of copying them.
    private static func memory(_ old: UnsafeMutablePointer<UInt64>?, _ capacity: Int) -> UnsafeMutablePointer<UInt64> {
        guard let memory = realloc(old, capacity * MemoryLayout<UInt64>.stride) else {
            fatalError("there is no memory for \(capacity) words")
        }
        return memory.bindMemory(to: UInt64.self, capacity: capacity)
    }
}

/// The kind of a value on the tape, in the upper four bits of its first word.
///
/// The rest of the word is a payload of 28 bits and, in the lower 32, the offset of the value's first byte. For an
/// array or an object it is the index after its last word, and the offset is in a second word, beside the index of its
/// container.
enum TapeKind {
    static let null: UInt64 = 0
    static let `false`: UInt64 = 1
    static let `true`: UInt64 = 2
    /// An integer of at most 19 digits; the second word is its magnitude.
    static let positiveInteger: UInt64 = 3
    /// The same below zero, -0 included.
    static let negativeInteger: UInt64 = 4
    /// A number with a fraction or an exponent and at most 19 digits; the second word is its mantissa, the payload has
    /// its power of ten in 16 bits, and the sign above them.
    static let decimal: UInt64 = 5
    /// A number that has more digits; the second word is the length of its text.
    static let longNumber: UInt64 = 6
    /// A string of ASCII without escapes; the payload is its length, here and below.
    static let asciiString: UInt64 = 7
    /// A string without escapes.
    static let plainString: UInt64 = 8
    /// A string with escapes.
    static let escapedString: UInt64 = 9
    /// A string with escapes, at least one of which is a lone surrogate.
    static let surrogateString: UInt64 = 10
    /// A string whose length does not fit into the payload; the second word is the length, the payload the kind.
    static let longString: UInt64 = 11
    /// A key that the table of keys has; the payload is its number there.
    static let key: UInt64 = 12
    /// An array; the payload is the number of its elements, as far as it fits.
    static let array: UInt64 = 13
    /// An object; the payload is its shape, or the number of its members beside ``TapeWord/withoutShape``.
    static let object: UInt64 = 14
}

/// The parts of a word of the tape.
enum TapeWord {
    static let payloadMask: UInt64 = 0x0FFF_FFFF
    /// Marks the payload of an object whose keys are not those of a known shape.
    static let withoutShape: UInt64 = 0x0800_0000
    /// Marks the payload of an object whose keys are not to be converted.
    static let keepsKeys: UInt64 = 0x0400_0000
    /// The most members or elements that a payload counts.
    static let maximumCount: UInt64 = 0x03FF_FFFF

    @inline(__always)
    static func make(_ kind: UInt64, payload: UInt64, offset: Int) -> UInt64 {
        kind &<< 60 | payload &<< 32 | UInt64(truncatingIfNeeded: offset)
    }

    @inline(__always)
    static func kind(_ word: UInt64) -> UInt64 { word &>> 60 }

    @inline(__always)
    static func payload(_ word: UInt64) -> UInt64 { (word &>> 32) & payloadMask }

    /// Returns the payload of an object without the mark.
    @inline(__always)
    static func objectPayload(_ word: UInt64) -> UInt64 { (word &>> 32) & (payloadMask ^ keepsKeys) }

    @inline(__always)
    static func lower(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    @inline(__always)
    static func upper(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 32) }
}
