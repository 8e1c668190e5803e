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
        return index &+ 1 &+ Int(truncatingIfNeeded: (0b100_0111_1000 as UInt64 &>> kind) & 1)
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
