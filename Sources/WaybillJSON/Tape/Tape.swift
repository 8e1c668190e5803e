import WaybillSystem

/// The result of scanning a document: a sequence of words in document order.
///
/// Each value has one or two words, and each container stores the index of its end. Word 0 is a `null` outside the
/// document, which terminates the chain of parent containers and is read for missing keys.
struct Tape {
    /// The maximum size of a document in bytes; 32-bit indices can address slightly more words than that.
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

    /// Returns the end index of a value.
    @inline(__always)
    func end(of index: Int) -> Int {
        let word = words[index]
        let kind = TapeWord.kind(word)
        if kind >= TapeKind.array { return TapeWord.lower(word) }
        // One bit for each kind that has a second word.
        return index &+ 1 &+ Int(truncatingIfNeeded: (0b1000_0111_1000 as UInt64 &>> kind) & 1)
    }

    /// Grows the tape, assuming that the rest of the document needs as many words per byte as the part already read.
    ///
    /// - Parameters:
    ///   - minimum: the number of words needed immediately.
    ///   - read: the number of bytes read so far.
    ///   - all: the total number of bytes.
    @inline(never)
    mutating func grow(toHold minimum: Int, read: Int, of all: Int) {
        let expected = Double(minimum) * Double(all) / Double(max(read, 1)) * 1.02
        resize(to: max(minimum + minimum / 4, Int(min(expected, Double(all) + 64))))
    }

    /// Reserves memory before a scan, to reduce reallocations.
    mutating func reserve(_ minimum: Int) {
        if minimum > capacity { resize(to: minimum) }
    }

    /// Frees excess memory after a large document.
    mutating func shrink(to maximum: Int) {
        count = 1
        if capacity > maximum { resize(to: maximum) }
    }

    /// Grows the tape, preserving the content of its whole capacity.
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

    /// Reallocates with the system's `realloc`, which moves the pages of large blocks instead of copying them.
    private static func memory(_ old: UnsafeMutablePointer<UInt64>?, _ capacity: Int) -> UnsafeMutablePointer<UInt64> {
        guard let memory = realloc(old, capacity * MemoryLayout<UInt64>.stride) else {
            fatalError("there is no memory for \(capacity) words")
        }
        return memory.bindMemory(to: UInt64.self, capacity: capacity)
    }
}

/// The kind of a value on the tape, in the upper four bits of its first word.
///
/// The rest of the word is a 28-bit payload and, in the lower 32 bits, the offset of the value's first byte. For an
/// array or object, the lower 32 bits contain its end index instead, and the second word contains the offset in the
/// lower half and the parent's index in the upper half.
enum TapeKind {
    static let null: UInt64 = 0
    static let `false`: UInt64 = 1
    static let `true`: UInt64 = 2
    /// An integer of up to 19 digits; the second word is its magnitude.
    static let positiveInteger: UInt64 = 3
    /// A negative integer of up to 19 digits, including -0; the second word is its magnitude.
    static let negativeInteger: UInt64 = 4
    /// A number with a fraction or an exponent, and up to 19 digits.
    ///
    /// The second word is its mantissa. The payload contains its power of ten in the lowest 16 bits, and the sign in
    /// the next bit.
    static let decimal: UInt64 = 5
    /// A longer number; the second word is the length of its text.
    static let longNumber: UInt64 = 6
    /// An ASCII string without escapes; as for the next three kinds, the payload is its length.
    static let asciiString: UInt64 = 7
    /// A string without escapes.
    static let plainString: UInt64 = 8
    /// A string with escapes.
    static let escapedString: UInt64 = 9
    /// A string with escapes, at least one of which is a lone surrogate.
    static let surrogateString: UInt64 = 10
    /// A string whose length does not fit into the payload; the second word is the length, and the payload is the
    /// string's kind.
    static let longString: UInt64 = 11
    /// A key from the key table; the payload is its number.
    static let key: UInt64 = 12
    /// An array; the payload is the number of elements, if that fits.
    static let array: UInt64 = 13
    /// An object; the payload is its shape, or the number of members combined with ``TapeWord/withoutShape``.
    static let object: UInt64 = 14
}

/// Access to the parts of a tape word.
enum TapeWord {
    static let payloadMask: UInt64 = 0x0FFF_FFFF
    /// The payload flag of an object without a known shape.
    static let withoutShape: UInt64 = 0x0800_0000
    /// The payload flag of an object whose keys must not be converted.
    static let keepsKeys: UInt64 = 0x0400_0000
    /// The maximum number of members or elements that a payload can store.
    static let maximumCount: UInt64 = 0x03FF_FFFF

    @inline(__always)
    static func make(_ kind: UInt64, payload: UInt64, offset: Int) -> UInt64 {
        kind &<< 60 | payload &<< 32 | UInt64(truncatingIfNeeded: offset)
    }

    @inline(__always)
    static func kind(_ word: UInt64) -> UInt64 { word &>> 60 }

    @inline(__always)
    static func payload(_ word: UInt64) -> UInt64 { (word &>> 32) & payloadMask }

    /// Returns the payload of an object without the ``keepsKeys`` flag.
    @inline(__always)
    static func objectPayload(_ word: UInt64) -> UInt64 { (word &>> 32) & (payloadMask ^ keepsKeys) }

    @inline(__always)
    static func lower(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    @inline(__always)
    static func upper(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 32) }
}
