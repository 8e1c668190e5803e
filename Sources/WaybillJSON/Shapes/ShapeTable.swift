/// A table of the object shapes seen so far.
///
/// The table is bounded: an object with many keys, or with keys in constantly changing order, has no shape.
struct ShapeTable {
    /// The shape of an object without keys.
    static let root = 1
    /// The maximum number of shapes.
    static let maximumShapes = 2048
    /// The maximum number of keys in a shape.
    static let maximumKeys = 200
    /// The maximum number of different keys that can follow a shape, except the root.
    static let maximumChildren = 32

    /// The minimum number of documents between two resets of the table.
    ///
    /// If every document fills the table, resetting it each time would discard all shapes before they can be reused.
    private static let patience = 4

    var keys = KeyTable()
    private(set) var shapes: UnsafeMutablePointer<Shape>
    private var capacity = 32
    private(set) var count = 2
    /// A hash table of shapes, keyed by the preceding shape and the key; 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt16>
    private var mask = 63
    /// The number of shapes that could not be added.
    private(set) var rejections = 0
    /// The number of documents since the last reset.
    private var documents = 0

    init() {
        shapes = .allocate(capacity: capacity)
        shapes.initialize(repeating: Shape(), count: 2)
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
    }

    func deallocate() {
        keys.deallocate()
        shapes.deallocate()
        slots.deallocate()
    }

    @inline(__always)
    subscript(_ shape: Int) -> UnsafeMutablePointer<Shape> { shapes + shape }

    /// Counts a document, and returns whether to reset the table first because too many shapes or keys no longer fit.
    mutating func isCrowded() -> Bool {
        documents += 1
        guard rejections > 64 && count > Self.maximumShapes / 2 || keys.isFull else { return false }
        return documents >= Self.patience
    }

    mutating func removeAll() {
        keys.removeAll()
        count = 2
        rejections = 0
        documents = 0
        shapes.update(repeating: Shape(), count: 2)
        slots.update(repeating: 0, count: mask + 1)
    }

    /// Returns the shape that extends another by one key; 0 if the shape is new but cannot be added, or the other shape
    /// already contains the key.
    mutating func child(of parent: Int, key: Int) -> Int {
        var slot = Self.hash(parent, key) & mask
        while slots[slot] != 0 {
            let shape = Int(slots[slot])
            if Int(shapes[shape].parent) == parent, Int(shapes[shape].key) == key { return shape }
            slot = (slot &+ 1) & mask
        }
        return learn(key, after: parent)
    }

    @inline(never)
    private mutating func learn(_ key: Int, after parent: Int) -> Int {
        guard count < Self.maximumShapes, shapes[parent].count < Self.maximumKeys,
            parent == Self.root || shapes[parent].childCount < Self.maximumChildren,
            place(ofKey: key, in: parent) == nil
        else {
            rejections += 1
            return 0
        }
        if count == capacity {
            shapes = shapes.moved(count, toCapacity: capacity * 2)
            capacity *= 2
        }
        var shape = Shape()
        shape.key = UInt16(truncatingIfNeeded: key)
        shape.count = shapes[parent].count + 1
        shape.parent = UInt16(truncatingIfNeeded: parent)
        shape.spell(keys.spelling(of: key))
        (shapes + count).initialize(to: shape)
        shapes[parent].childCount += 1
        count += 1
        if count * 2 > mask { enlarge() } else { place(count - 1) }
        return count - 1
    }

    /// Returns the position of a key in a shape; nil if the shape does not contain it.
    func place(ofKey key: Int, in shape: Int) -> Int? {
        var shape = shape
        while shape > Self.root {
            if Int(shapes[shape].key) == key { return Int(shapes[shape].count) &- 1 }
            shape = Int(shapes[shape].parent)
        }
        return nil
    }

    private mutating func enlarge() {
        slots.deallocate()
        mask = mask * 2 + 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
        for shape in (Self.root + 1)..<count { place(shape) }
    }

    private func place(_ shape: Int) {
        var slot = Self.hash(Int(shapes[shape].parent), Int(shapes[shape].key)) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt16(truncatingIfNeeded: shape)
    }

    @inline(__always)
    private static func hash(_ parent: Int, _ key: Int) -> Int {
        let mixed = UInt64(truncatingIfNeeded: parent &<< 16 | key) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 40)
    }
}

/// The ordered keys of an object, represented as a parent shape plus one key.
///
/// Most objects in a document have the same keys as an earlier object, in the same order. The scanner can therefore
/// predict a key and compare a few bytes instead of parsing a string. Once a key type has been used with a shape,
/// containers find members without reading their keys.
struct Shape {
    /// The first 16 bytes of the key, including its closing quotation mark.
    ///
    /// Storing them inline allows comparing a predicted key with a single memory access.
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// The mask of the bits to compare.
    var lowMask: UInt64 = 0
    var highMask: UInt64 = 0
    /// The last 15 bytes of a key of 16 bytes or more, and its closing quotation mark.
    var tailLow: UInt64 = 0
    var tailHigh: UInt64 = 0
    /// The length of the key in bytes.
    var length: UInt16 = 0
    /// The number of the key.
    var key: UInt16 = 0
    /// The number of keys.
    var count: UInt16 = 0
    /// The shape that this shape extends by one key.
    var parent: UInt16 = 0
    /// The shape that most recently followed this one; 0 if unknown.
    var predicted: UInt16 = 0
    /// The shape that followed this one before that; 0 if unknown.
    var predictedNext: UInt16 = 0
    /// The shape of just the first key of the most recent object within this key's value; 0 if unknown.
    var predictedInside: UInt16 = 0
    /// The number of shapes that extend this one.
    var childCount: UInt16 = 0

    mutating func spell(_ key: UnsafeBufferPointer<UInt8>) {
        length = UInt16(truncatingIfNeeded: key.count)
        (low, high) = Self.words(key, from: 0)
        let bits = UInt64(min(16, key.count + 1)) * 8
        lowMask = bits >= 64 ? ~0 : ~(~0 << bits)
        highMask = bits <= 64 ? 0 : bits == 128 ? ~0 : ~(~0 << (bits - 64))
        if key.count >= 16 { (tailLow, tailHigh) = Self.words(key, from: key.count - 15) }
    }

    /// Returns up to 16 bytes of a key and its closing quotation mark, with the first byte in the lowest bits.
    private static func words(_ key: UnsafeBufferPointer<UInt8>, from start: Int) -> (low: UInt64, high: UInt64) {
        var words: (low: UInt64, high: UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { bytes in
            let part = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: key[start..<min(key.count, start + 16)]))
            bytes.copyMemory(from: part)
            if part.count < 16 { bytes[part.count] = UInt8(ascii: "\"") }
        }
        return (words.low.littleEndian, words.high.littleEndian)
    }
}
