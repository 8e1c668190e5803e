/// The position of the reading of a text in chunks, and the last bytes before the present chunk.
///
/// Offsets are those of the chunk; the bytes before it are below zero. Counting never goes back, so that it is linear
/// in all.
struct LocationTracker: Sendable {
    /// The number of bytes before the chunk that are kept, unless the chunks are short.
    private static let kept = 128

    private var counter = PositionCounter()
    /// The bytes before the chunk.
    private(set) var recent: [UInt8] = []
    /// The number of bytes of `recent`, and then of the chunk, that have been counted.
    private var counted = 0
    /// The position after the last byte that is not white space, if `recent` has only white space.
    private var earlierContentEnd: TextPosition?
    /// Whether there is text before the bytes of `recent`.
    private(set) var isCut = false

    /// Counts up to a byte of the chunk.
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

    /// Returns the position of a byte of the chunk that has not been counted over yet.
    func position(at offset: Int, in chunk: UnsafeBufferPointer<UInt8>) -> TextPosition {
        var copy = self
        copy.count(to: offset, in: chunk)
        return copy.counter.position
    }

    /// The place after the last byte that is not white space, after the last chunk.
    var contentEnd: TextPosition {
        guard let last = recent.lastIndex(where: { !Self.isWhiteSpace($0) }) else {
            return earlierContentEnd ?? PositionCounter().position
        }
        return position(at: last + 1 - recent.count, in: UnsafeBufferPointer(start: nil, count: 0))
    }

    /// Starts again at a byte of the chunk, as if another chunk began there.
    mutating func cut(to offset: Int, in chunk: UnsafeBufferPointer<UInt8>) {
        count(to: offset, in: chunk)
        let before = recent + chunk[max(0, offset - Self.kept)..<offset]
        isCut = isCut || offset > Self.kept || before.count > Self.kept
        recent = before.suffix(Self.kept)
        counted = recent.count
    }

    /// Leaves a chunk behind.
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

    /// Counts bytes that will not be kept.
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
