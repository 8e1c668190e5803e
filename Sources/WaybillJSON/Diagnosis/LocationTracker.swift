/// The position in text that is read in chunks, and the last bytes before the current chunk.
///
/// Offsets are relative to the chunk, and negative before it. Counting only moves forward, so it takes linear time
/// overall.
struct LocationTracker: Sendable {
    /// The number of bytes kept from before the chunk; after short chunks, up to four times as many.
    private static let kept = 128

    private var counter = PositionCounter()
    /// The last bytes before the chunk.
    private(set) var recent: [UInt8] = []
    /// The number of bytes in `recent`, and then in the chunk, that have been counted.
    private var counted = 0
    /// The position after the last non-whitespace byte, if `recent` contains only whitespace.
    private var earlierContentEnd: TextPosition?
    /// Whether `recent` omits earlier bytes of the text.
    private(set) var isCut = false

    /// Counts the bytes up to an offset in the chunk.
    mutating func count(to offset: Int, in chunk: UnsafeBufferPointer<UInt8>) {
        let target = recent.count + offset
        guard target > counted, target <= recent.count + chunk.count else { return }
        if counted < recent.count {
            recent.withUnsafeBufferPointer { recent in
                counter.advance(over: UnsafeBufferPointer(rebasing: recent[counted..<min(target, recent.count)]))
            }
            counted = min(target, recent.count)
        }
        if target > counted {
            counter.advance(over: UnsafeBufferPointer(rebasing: chunk[(counted - recent.count)..<offset]))
            counted = target
        }
    }

    /// Returns the position of a byte in the chunk that has not been counted.
    func position(at offset: Int, in chunk: UnsafeBufferPointer<UInt8>) -> TextPosition {
        var copy = self
        copy.count(to: offset, in: chunk)
        return copy.counter.position
    }

    /// The position after the last non-whitespace byte, once the last chunk has been read.
    var contentEnd: TextPosition {
        guard let last = recent.lastIndex(where: { !Self.isWhiteSpace($0) }) else {
            return earlierContentEnd ?? PositionCounter().position
        }
        return position(at: last + 1 - recent.count, in: UnsafeBufferPointer(start: nil, count: 0))
    }

    /// Restarts at an offset in the chunk, as if a new chunk began there.
    mutating func cut(to offset: Int, in chunk: UnsafeBufferPointer<UInt8>) {
        count(to: offset, in: chunk)
        let before = recent + chunk[max(0, offset - Self.kept)..<offset]
        isCut = isCut || offset > Self.kept || before.count > Self.kept
        recent = before.suffix(Self.kept)
        counted = recent.count
    }

    /// Ends a chunk, keeping its last bytes.
    mutating func leave(_ chunk: UnsafeBufferPointer<UInt8>) {
        if chunk.count >= 2 * Self.kept {
            let start = chunk.count - Self.kept
            forget(recent.count + start, in: chunk)
            recent = Array(chunk[start...])
        } else {
            recent.append(contentsOf: chunk)
            guard recent.count > 4 * Self.kept else { return }
            let dropped = recent.count - Self.kept
            forget(dropped, in: UnsafeBufferPointer(start: nil, count: 0))
            recent.removeFirst(dropped)
        }
    }

    /// Counts bytes that will be discarded.
    private mutating func forget(_ dropped: Int, in chunk: UnsafeBufferPointer<UInt8>) {
        let byte = { [recent] in $0 < recent.count ? recent[$0] : chunk[$0 - recent.count] }
        if !(dropped..<(recent.count + chunk.count)).contains(where: { !Self.isWhiteSpace(byte($0)) }),
            let last = (0..<dropped).last(where: { !Self.isWhiteSpace(byte($0)) })
        {
            count(to: last + 1 - recent.count, in: chunk)
            earlierContentEnd = counter.position
        }
        count(to: dropped - recent.count, in: chunk)
        counted -= dropped
        isCut = true
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

/// A counter of lines and characters in text that arrives in pieces, split at arbitrary bytes.
///
/// It computes the same position as ``JSONText/position(ofByte:)``, in bounded memory. A character of more than 1024
/// bytes, which requires a long run of combining marks, can count as several.
struct PositionCounter: Sendable {
    private static let longestRun = 1024

    private var line = 1
    /// The number of characters in the line before `open`.
    private var characters = 0
    private var endsInReturn = false
    /// Non-ASCII bytes at the end of the text so far; their last character may continue in the next bytes.
    private var open: [UInt8] = []

    /// The position after the text so far.
    var position: TextPosition {
        TextPosition(line: line, column: characters + count(open, isFollowed: false) + 1)
    }

    /// Counts the next bytes.
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

    /// Counts ASCII text without line breaks, 16 bytes at a time.
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

    /// Counts a long run except for its last character and the possibly incomplete scalar after it.
    private mutating func settle() {
        let end = UTF8Sequence.start(in: open, at: open.count - 1)
        let text = String(decoding: open[..<end], as: UTF8.self)
        let kept = text.count > 1 ? text.suffix(1).utf8.count : 0
        let settled = max(0, end - kept)
        characters += count(Array(open[..<settled]), isFollowed: false)
        open.removeFirst(settled)
    }

    /// Returns the number of characters that a non-ASCII run adds to its line, depending on whether ASCII text follows.
    private func count(_ run: [UInt8], isFollowed: Bool) -> Int {
        if run.isEmpty { return 0 }
        if let count = Self.simpleCount(run) { return count }
        // Combining marks attach to the preceding character, unless that is a line break.
        let before = characters > 0 ? "a" : ""
        let text = before + String(decoding: run, as: UTF8.self) + (isFollowed ? "a" : "")
        return text.count - before.count - (isFollowed ? 1 : 0)
    }

    /// Returns the character count of a run whose scalars are all separate characters; nil for any other run.
    ///
    /// This covers most letters of Latin, Greek and Cyrillic, and the ideographs and syllables of East Asian scripts.
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
