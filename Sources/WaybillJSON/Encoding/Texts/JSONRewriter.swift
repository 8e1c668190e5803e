import WaybillSystem

/// A second pass over the encoder's output that sorts keys, indents, and removes repeated keys as requested.
///
/// It first locates the members of all arrays and objects and then writes them, both without recursion.
struct JSONRewriter {
    /// A marker before an array or object that may continue an earlier one with the same key; it cannot occur in JSON.
    static let merge: UInt8 = 0x01

    /// A member of an object, or an element of an array.
    struct Member {
        /// The first eight bytes of the key as a number, which is enough for most comparisons.
        var prefix: UInt64 = 0
        /// The range of the key without its quotation marks.
        var keyStart = 0
        var keyEnd = 0
        var start = 0
        /// The end of a scalar; not set for arrays and objects.
        var end = 0
        /// The half-open range of an array's or object's members in ``found``.
        var first = 0
        var last = 0
        var hasEscapes = false
        var isMerged = false
    }

    /// An array or object being parsed or written.
    struct Level {
        var next: Int
        var end = 0
        let isObject: Bool
        var isEmpty = true
    }

    let text: UnsafePointer<UInt8>
    let count: Int
    let isPretty: Bool
    let isSorted: Bool
    let removesDuplicates: Bool
    /// The members of all arrays and objects; those of one array or object are contiguous.
    var found: [Member] = []
    var output: UnsafeMutablePointer<UInt8>
    var outputCount = 0
    var capacity: Int

    /// Returns the document rewritten with the requested formatting.
    static func rewrite(
        _ text: UnsafeBufferPointer<UInt8>,
        isPretty: Bool,
        isSorted: Bool,
        removingDuplicates: Bool
    ) -> Data {
        guard let start = text.baseAddress else { return Data() }
        var rewriter = JSONRewriter(start, text.count, isPretty, isSorted, removingDuplicates)
        rewriter.write(rewriter.findMembers())
        return OutputMemory.data(rewriter.output, rewriter.outputCount)
    }

    private init(
        _ text: UnsafePointer<UInt8>,
        _ count: Int,
        _ isPretty: Bool,
        _ isSorted: Bool,
        _ removesDuplicates: Bool
    ) {
        self.text = text
        self.count = count
        self.isPretty = isPretty
        self.isSorted = isSorted
        self.removesDuplicates = removesDuplicates
        capacity = count + 16
        output = OutputMemory.allocate(capacity)
    }
}

extension JSONRewriter {
    mutating func write(_ whole: Member) {
        var levels: [Level] = []
        begin(whole, &levels)
        while let level = levels.last {
            guard level.next < level.end else {
                levels.removeLast()
                if isPretty {
                    // Like Foundation, writes a blank line between the brackets of an empty array or object.
                    if level.isEmpty { append(UInt8(ascii: "\n")) }
                    beginLine(levels.count)
                }
                append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                continue
            }
            levels[levels.count - 1].next += 1
            levels[levels.count - 1].isEmpty = false
            if !level.isEmpty { append(UInt8(ascii: ",")) }
            if isPretty { beginLine(levels.count) }
            let member = found[level.next]
            if level.isObject {
                append(member.keyStart - 1, member.keyEnd + 1)
                if isPretty { append(UInt8(ascii: " ")) }
                append(UInt8(ascii: ":"))
                if isPretty { append(UInt8(ascii: " ")) }
            }
            begin(member, &levels)
        }
    }

    /// Writes a scalar, or begins an array or an object.
    @inline(__always)
    private mutating func begin(_ member: Member, _ levels: inout [Level]) {
        let byte = text[member.start]
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return append(member.start, member.end) }
        append(byte)
        levels.append(Level(next: member.first, end: member.last, isObject: byte == UInt8(ascii: "{")))
    }

    private mutating func beginLine(_ depth: Int) {
        append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * depth) { append(UInt8(ascii: " ")) }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        if outputCount == capacity { grow(by: 1) }
        output[outputCount] = byte
        outputCount &+= 1
    }

    /// Appends a range of the document.
    @inline(__always)
    private mutating func append(_ start: Int, _ end: Int) {
        if outputCount &+ end &- start > capacity { grow(by: end - start) }
        (output + outputCount).update(from: text + start, count: end &- start)
        outputCount &+= end &- start
    }

    @inline(never)
    private mutating func grow(by count: Int) {
        capacity = max(2 * capacity, outputCount + count)
        output = OutputMemory.resize(output, to: capacity)
    }
}
