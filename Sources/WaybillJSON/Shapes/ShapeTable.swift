/// The shapes that objects were seen to have.
///
/// It is bounded: an object with many keys, or with keys that keep changing, as those of a dictionary, has no shape.
struct ShapeTable {
    /// The shape of an object without keys.
    static let root = 1
    /// More shapes than these are not learned.
    static let maximumShapes = 4096
    /// An object with more keys than these has no shape.
    static let maximumKeys = 200
    /// A shape is not followed by more different keys than these.
    static let maximumChildren = 24
    /// A longer key has no shape.
    static let maximumKeyLength = 256
    /// How many bytes of keys are kept.
    static let maximumBytes = 1 << 16

    private(set) var shapes: UnsafeMutablePointer<Shape>
    private var capacity = 32
    private(set) var count = 2
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var byteCapacity = 512
    private var byteCount = 0

    init() {
        shapes = .allocate(capacity: capacity)
        bytes = .allocate(capacity: byteCapacity)
        shapes.initialize(repeating: Shape(), count: 2)
    }

    func deallocate() {
        shapes.deallocate()
        bytes.deallocate()
    }

    @inline(__always)
    subscript(_ shape: Int) -> UnsafeMutablePointer<Shape> { shapes + shape }

    /// Whether nothing more can be learned.
    var isFull: Bool { count >= Self.maximumShapes || byteCount >= Self.maximumBytes }

    /// Forgets everything.
    mutating func removeAll() {
        count = 2
        byteCount = 0
        shapes[Self.root] = Shape()
    }

    /// The bytes of a shape's last key as they are meant, escapes resolved.
    func meaning(of shape: Int) -> UnsafeBufferPointer<UInt8> {
        let shape = shapes[shape]
        // An escape is always longer than what it stands for.
        let start = bytes + Int(shape.spelling) + (shape.meaningLength == shape.length ? 0 : Int(shape.length))
        return UnsafeBufferPointer(start: start, count: Int(shape.meaningLength))
    }

    /// Whether a shape's last key is written with these bytes.
    @inline(__always)
    func isSpelled(_ shape: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let length = Int(shapes[shape].length)
        return length == key.count && (bytes + Int(shapes[shape].spelling)).isEqual(to: key.baseAddress, count: length)
    }

    /// The shape with one more key; 0 where there is none and none can be learned, and where the key is one of those
    /// before it.
    mutating func child(
        of parent: Int,
        spelled spelling: UnsafeBufferPointer<UInt8>,
        kind: UInt64
    ) -> Int {
        var child = Int(shapes[parent].firstChild)
        while child != 0 {
            if isSpelled(child, spelling) {
                shapes[parent].predicted = Int32(truncatingIfNeeded: child)
                return child
            }
            child = Int(shapes[child].nextSibling)
        }
        return learn(spelling, kind: kind, after: parent)
    }

    @inline(never)
    private mutating func learn(_ spelling: UnsafeBufferPointer<UInt8>, kind: UInt64, after parent: Int) -> Int {
        guard !isFull, shapes[parent].count < Self.maximumKeys, shapes[parent].childCount < Self.maximumChildren,
            spelling.count <= Self.maximumKeyLength
        else { return 0 }
        let meaning: [UInt8]
        if kind == TapeKind.escapedString {
            meaning = Array(JSONEscapes.resolving(spelling).utf8)
        } else {
            meaning = Array(spelling)
        }
        let isASCII = meaning.allSatisfy { $0 < 0x80 }
        guard !contains(meaning, isASCII: isASCII, in: parent) else { return 0 }

        var shape = Shape()
        shape.length = Int32(truncatingIfNeeded: spelling.count)
        shape.meaningLength = Int32(truncatingIfNeeded: meaning.count)
        shape.parent = Int32(truncatingIfNeeded: parent)
        shape.count = shapes[parent].count + 1
        shape.nextSibling = shapes[parent].firstChild
        shape.isASCII = isASCII
        shape.word = TapeWord.make(kind, payload: UInt64(truncatingIfNeeded: spelling.count), offset: 0)
        shape.spelling = Int32(truncatingIfNeeded: byteCount)
        append(spelling)
        if kind == TapeKind.escapedString { meaning.withUnsafeBufferPointer { append($0) } }
        let first = (Array(spelling.prefix(16)) + [0x22]).prefix(16)
        for (place, byte) in first.enumerated() {
            let shift = UInt64(place & 7) &* 8
            if place < 8 {
                shape.low |= UInt64(byte) &<< shift
                shape.lowMask |= 0xFF &<< shift
            } else {
                shape.high |= UInt64(byte) &<< shift
                shape.highMask |= 0xFF &<< shift
            }
        }

        if count == capacity {
            let larger = UnsafeMutablePointer<Shape>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: shapes, count: count)
            shapes.deallocate()
            shapes = larger
            capacity *= 2
        }
        let index = count
        count += 1
        shapes[index] = shape
        shapes[parent].firstChild = Int32(truncatingIfNeeded: index)
        shapes[parent].childCount += 1
        shapes[parent].predicted = Int32(truncatingIfNeeded: index)
        return index
    }

    /// Whether a key is one of a shape's.
    ///
    /// Keys that Unicode holds equal are equal, as they are for Swift's dictionaries.
    private func contains(_ key: [UInt8], isASCII: Bool, in shape: Int) -> Bool {
        var shape = shape
        while shape != Self.root {
            let other = meaning(of: shape)
            if other.elementsEqual(key) { return true }
            if !isASCII, !shapes[shape].isASCII,
                String(decoding: other, as: UTF8.self) == String(decoding: key, as: UTF8.self)
            {
                return true
            }
            shape = Int(shapes[shape].parent)
        }
        return false
    }

    private mutating func append(_ spelling: UnsafeBufferPointer<UInt8>) {
        if byteCount + spelling.count > byteCapacity {
            let newCapacity = max(byteCapacity * 2, byteCount + spelling.count)
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
            larger.moveInitialize(from: bytes, count: byteCount)
            bytes.deallocate()
            bytes = larger
            byteCapacity = newCapacity
        }
        if let start = spelling.baseAddress { (bytes + byteCount).initialize(from: start, count: spelling.count) }
        byteCount += spelling.count
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Whether the bytes here are those at another place.
    @inline(__always)
    func isEqual(to other: UnsafePointer<UInt8>?, count: Int) -> Bool {
        UnsafePointer(self).isEqual(to: other, count: count)
    }
}

extension UnsafePointer<UInt8> {
    /// Whether the bytes here are those at another place.
    @inline(__always)
    func isEqual(to other: UnsafePointer<UInt8>?, count: Int) -> Bool {
        guard let other else { return count == 0 }
        var index = 0
        while index < count {
            if self[index] != other[index] { return false }
            index &+= 1
        }
        return true
    }
}
