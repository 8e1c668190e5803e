import WaybillSystem

extension ElementParser {
    /// Skips to the next separator after an invalid text of a sequence.
    ///
    /// - Returns: the error as that of an element; nil if it cannot be passed over.
    mutating func recover(from error: any Error) -> DroppedItem? {
        guard passesBrokenTexts, let separator = validator.sequence?.separator, !passesElements,
            !(error is ElementTooLarge), repeatedByteCount <= Self.mostRepeated + Self.repetitions * offset
        else { return nil }
        // A document in UTF-16 has no text at all that can be read.
        guard offset + index > 1 || !mayBeUTF16 else { return nil }
        let isBehindText = validator.state == .afterValue && validator.depth == 0 && !validator.needsWhiteSpace
        let place = isBehindText ? max(0, elementIndex - 1) : elementIndex
        if !isBehindText { elementIndex += 1 }
        failure = nil
        seek(separator)
        validator.beginText()
        return DroppedItem(index: place, error: error)
    }

    /// The bytes that may be read again whatever has been read, and how many times as many as have been read.
    ///
    /// Lines such as `[` alone begin a text each, which goes on to the depth limit: without a bound, the server decides
    /// how often a line is read.
    private static var mostRepeated: Int { 1 << 20 }
    private static var repetitions: Int { 8 }

    /// Goes to the first separator behind the beginning of the text, which may be in bytes before the chunk.
    private mutating func seek(_ separator: UInt8) {
        soughtSeparator = separator
        guard let text = kept.take() else {
            // The next error counts from here.
            count(to: index)
            return
        }
        guard let place = text.data.firstIndex(of: separator) else {
            index = text.start
            return
        }
        let bytes = text.data
        let length = place - bytes.startIndex
        tracker = text.tracker
        bytes.withUnsafeBytes { tracker.cut(to: length, in: $0.assumingMemoryBound(to: UInt8.self)) }
        let rest = bytes[place...]
        offset -= rest.count
        repeatedByteCount += rest.count
        chunk = Data(rest) + chunk
        index = 0
        part = nil
    }

    /// Passes over the bytes before the separator that is sought.
    ///
    /// - Returns: whether the chunk has it.
    mutating func skipToSeparator(_ separator: UInt8) -> Bool {
        guard let place = chunk.dropFirst(index).firstIndex(of: separator) else {
            index = chunk.count
            return false
        }
        index = place - chunk.startIndex
        soughtSeparator = nil
        return true
    }

    private var mayBeUTF16: Bool {
        // No byte behind the error, which a smaller chunk would not have.
        let first = (tracker.recent + chunk.prefix(2)).prefix(min(2, offset + index + 1))
        return first.contains(0) || first.contains { $0 >= 0xFE }
    }
}
