/// Counts lines and characters of a text that comes in pieces, cut at any byte.
///
/// It comes to the same place as ``JSONText/position(ofByte:)``. Its memory is bounded: of one character that has more
/// than 1024 bytes, which only a row of combining marks can, each 1024 may be counted as another one.
struct PositionCounter: Sendable {
    private static let longestRun = 1024

    private var line = 1
    /// The characters of the line before `open`.
    private var characters = 0
    private var endsInReturn = false
    /// Bytes beyond ASCII that end the text so far: what follows may belong to their last character.
    private var open: [UInt8] = []

    /// The place after the text so far.
    var position: TextPosition {
        TextPosition(line: line, column: characters + count(open, isFollowed: false) + 1)
    }

    /// Goes on over the next bytes.
    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 {
                let start = index
                while index < bytes.count, bytes[index] >= 0x80, index - start < Self.longestRun { index += 1 }
                open.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                endsInReturn = false
                if open.count > Self.longestRun { settle() }
                continue
            }
            if !open.isEmpty {
                characters += count(open, isFollowed: true)
                open.removeAll(keepingCapacity: true)
            }
            index += 1
            switch byte {
            case 0x0A:
                if !endsInReturn { line += 1 }
                characters = 0
                endsInReturn = false
            case 0x0D:
                line += 1
                characters = 0
                endsInReturn = true
            default:
                characters += 1
                endsInReturn = false
                skipPlainText(bytes, &index)
            }
        }
    }

    /// Goes on over ASCII without line breaks, 16 bytes at a time.
    private mutating func skipPlainText(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
        guard let start = bytes.baseAddress else { return }
        let feeds = SIMD16<UInt8>(repeating: 0x0A)
        let returns = SIMD16<UInt8>(repeating: 0x0D)
        let ends = SIMD16<UInt8>(repeating: 0x80)
        while index &+ 16 <= bytes.count {
            let vector = UnsafeRawPointer(start + index).loadUnaligned(as: SIMD16<UInt8>.self)
            let other = (vector .== feeds) .| (vector .== returns) .| (vector .>= ends)
            let found = unsafeBitCast(other, to: SIMD2<UInt64>.self)
            guard found.x | found.y == 0 else { return }
            index &+= 16
            characters &+= 16
        }
    }

    /// Counts all of a long run but its last character, and the scalar after it that may not be complete.
    private mutating func settle() {
        let end = UTF8Sequence.start(in: open, at: open.count - 1)
        let text = String(decoding: open[..<end], as: UTF8.self)
        let kept = text.count > 1 ? text.suffix(1).utf8.count : 0
        let settled = max(0, end - kept)
        characters += count(Array(open[..<settled]), isFollowed: false)
        open.removeFirst(settled)
    }

    /// Returns the number of characters that a run of bytes beyond ASCII adds to those of its line before it, and to
    /// ASCII after it.
    private func count(_ run: [UInt8], isFollowed: Bool) -> Int {
        if run.isEmpty { return 0 }
        if let count = Self.simpleCount(run) { return count }
        // Marks belong to the character before them, unless that is a line break.
        let before = characters > 0 ? "a" : ""
        let text = before + String(decoding: run, as: UTF8.self) + (isFollowed ? "a" : "")
        return text.count - before.count - (isFollowed ? 1 : 0)
    }

    /// Returns the same if each scalar is a character, next to any other: most letters of Latin, Greek and Cyrillic,
    /// and the ideographs and syllables of East Asia; nil for other scalars.
    private static func simpleCount(_ run: [UInt8]) -> Int? {
        var index = 0
        var count = 0
        while index < run.count {
            let length: Int
            switch run[index] {
            case 0xC2...0xCB, 0xCE, 0xCF, 0xD0, 0xD1: length = 2
            case 0xE4...0xE9, 0xEB, 0xEC: length = 3
            default: return nil
            }
            guard index + length <= run.count else { return nil }
            for place in (index + 1)..<(index + length) where run[place] & 0xC0 != 0x80 { return nil }
            index += length
            count += 1
        }
        return count
    }
}
