import WaybillSystem

extension ElementParser {
    /// The number of bytes after an error that are retained for its excerpt.
    private static let reach = 640

    /// Returns the position of the next byte; nil if the whole document is available.
    mutating func place() -> TextPosition? {
        guard document == nil else { return nil }
        let (bytes, index) = (chunk, index)
        return bytes.withUnsafeBytes {
            let bytes = $0.assumingMemoryBound(to: UInt8.self)
            tracker.count(to: index, in: bytes)
            return tracker.position(at: index, in: bytes)
        }
    }

    /// Returns the error for a document that is invalid or nested too deeply.
    func error(of rejection: JSONValidator.Rejection, atEnd: Bool = false) -> DecodingError {
        let value = document == nil ? brokenValue(at: rejection.offset) : nil
        let path = value == nil ? [] : pathKeys + [PathKey(index: elementIndex)]
        let source = document.map { JSONSource(data: $0) } ?? source(of: rejection, value, atEnd)
        if case .depth = rejection.reason {
            return corrupted("The document is nested deeper than \(strategies.maximumDepth) levels.", path, in: source)
        }
        let first = (tracker.recent + chunk.prefix(2)).prefix(2)
        if document == nil, offset + index <= 1, first.contains(0) || first.contains(where: { $0 >= 0xFE }) {
            return corrupted("The document is in UTF-16 or UTF-32, which cannot be read in chunks.", [], in: source)
        }
        return corrupted("The document is not valid JSON.", path, in: source)
    }

    /// Returns the source for a rejection: the surrounding bytes, starting at the rejected value if that is known.
    private func source(of rejection: JSONValidator.Rejection, _ value: BrokenValue?, _ atEnd: Bool) -> JSONSource {
        let offset = rejection.offset
        let window = max(0, offset)..<min(chunk.count, max(0, offset) + Self.reach)
        let place = value?.bytes == nil ? offset : offset + (value?.chunkStart ?? 0)
        let fault: JSONPart.Fault
        switch rejection.reason {
        case .syntax(let expected):
            let bytes = tracker.recent.suffix(max(0, -offset)) + chunk.dropFirst(window.lowerBound).prefix(window.count)
            let found = JSONSyntaxError.words(at: 0, in: Array(bytes))
            fault = .syntax(JSONSyntaxError(offset: place, expected: expected, found: found))
        case .depth:
            let summary = "the document is nested deeper than \(strategies.maximumDepth) levels"
            fault = .other(summary: summary, place: place..<(place + 1))
        }
        let position = atEnd && offset == 0 ? tracker.contentEnd : nil
        guard let value, let bytes = value.bytes else {
            let pathLength = value == nil ? 0 : path.count + 1
            let part = JSONPart(pathLength: pathLength, tracker: tracker, fault: fault, position: position)
            return JSONSource(data: chunk, range: window, of: part)
        }
        let part = JSONPart(
            pathLength: path.count + 1,
            tracker: value.tracker,
            fault: fault,
            position: position,
            beginsAtValue: true
        )
        let end = min(bytes.count, max(0, place) + Self.reach)
        return JSONSource(data: bytes, range: 0..<end, of: part)
    }

    /// An invalid element or text of a sequence.
    private struct BrokenValue {
        /// The value's bytes and those that follow in the chunk; nil if there are too many to parse for an error.
        let bytes: Data?
        /// The offset of the chunk's first byte in these bytes.
        let chunkStart: Int
        let tracker: LocationTracker
    }

    /// Returns the invalid value at the given offset; nil if the fault is between values.
    private func brokenValue(at offset: Int) -> BrokenValue? {
        // A number may have ended just before the fault.
        let isAfterDigits = validator.isWithinNumber || validator.state == .afterValue
        let mayHaveEnded = validator.depth == levels.count && isAfterDigits
        if let kept, kept.node == nil, validator.sequence != nil || !mayHaveEnded {
            // Copies only the excerpt's bytes, because a chunk can contain many invalid texts.
            let count = max(0, offset - kept.start) + Self.reach + 1
            let isReadable = kept.data.count + count <= JSONSource.readableByteCount
            let bytes = isReadable ? kept.data + chunk.dropFirst(kept.start).prefix(count) : nil
            return BrokenValue(bytes: bytes, chunkStart: kept.data.count - kept.start, tracker: kept.tracker)
        }
        let isBeforeText = validator.state == .document || validator.state == .firstSeparator
        guard validator.sequence != nil, validator.depth == 0, isBeforeText, offset >= 0 else { return nil }
        var place = tracker
        chunk.withUnsafeBytes { place.cut(to: offset, in: $0.assumingMemoryBound(to: UInt8.self)) }
        let bytes = Data(chunk.dropFirst(offset).prefix(Self.reach + 1))
        return BrokenValue(bytes: bytes, chunkStart: -offset, tracker: place)
    }

    /// Returns the error for a value of the wrong kind on the path to the array or in place of the array.
    mutating func mismatch(_ type: Any.Type) -> DecodingError {
        let keys = Array(pathKeys.prefix(levels.count))
        let part = JSONPart(pathLength: keys.count, tracker: tracker, position: place())
        let source =
            document.map { JSONSource(data: $0) } ?? JSONSource(data: chunk, range: index..<chunk.count, of: part)
        let (reason, isNull) = Self.words(forValueAt: chunk[chunk.startIndex + index])
        return .diagnosed(keys, reason, in: source) { isNull ? .valueNotFound(type, $0) : .typeMismatch(type, $0) }
    }

    private static func words(forValueAt byte: UInt8) -> (reason: String, isNull: Bool) {
        switch byte {
        case UInt8(ascii: "n"): ("Found null instead of a value.", true)
        case UInt8(ascii: "t"): ("Found true instead.", false)
        case UInt8(ascii: "f"): ("Found false instead.", false)
        case UInt8(ascii: "{"): ("Found an object instead.", false)
        case UInt8(ascii: "["): ("Found an array instead.", false)
        case UInt8(ascii: "\""): ("Found a string instead.", false)
        default: ("Found a number instead.", false)
        }
    }

    /// Returns the error for a path missing from the document.
    func missing(_ child: Int, in level: Level) -> DecodingError {
        let keys = Array(pathKeys.prefix(levels.count))
        // The bytes have already been discarded; an object with the same keys is used as a stand-in.
        let bytes = Data("{\(level.keys.map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
        let part = JSONPart(pathLength: keys.count, tracker: LocationTracker(), position: level.place, isStandIn: true)
        let source = document.map { JSONSource(data: $0) } ?? JSONSource(data: bytes, range: 0..<bytes.count, of: part)
        switch tree.nodes[child].step {
        case .index(let index):
            let reason = "The array has \(level.count) elements."
            return .diagnosed(keys + [PathKey(index: index)], reason, in: source) { .valueNotFound(Any.self, $0) }
        case .key(let name):
            return .diagnosed(keys, "The object has no such key.", in: source) { .keyNotFound(PathKey(name), $0) }
        case nil:
            return corrupted("The document has no elements.", keys, in: source)
        }
    }

    /// Returns the error for a value with invalid content.
    func corrupted(_ reason: String, _ path: [any CodingKey], in source: JSONSource?) -> DecodingError {
        .diagnosed(path, reason, in: source) { .dataCorrupted($0) }
    }

    /// Returns the error for metadata that is missing from the document or has not been read yet.
    func absent(_ path: [EnvelopeKey]) -> DecodingError {
        let (count, node) = tree.foundSteps(of: path)
        let keys = path.prefix(count).map { PathKey($0) }
        guard count < path.count else { return corrupted("This metadata has not been read yet.", keys, in: nil) }
        switch (path[count], tree.nodes[node].firstByte) {
        case (.key(let name), UInt8(ascii: "{")), (.key(let name), 0):
            return .diagnosed(keys, "The object has no such key.", in: nil) { .keyNotFound(PathKey(name), $0) }
        case (.index(let index), UInt8(ascii: "[")):
            let place = keys + [PathKey(index: index)]
            return .diagnosed(place, "The array has no such element.", in: nil) { .valueNotFound(Any.self, $0) }
        case (let step, let byte):
            let (reason, isNull) = Self.words(forValueAt: byte)
            let type: Any.Type = if case .key = step { [String: Any].self } else { [Any].self }
            return .diagnosed(keys, reason, in: nil) { isNull ? .valueNotFound(type, $0) : .typeMismatch(type, $0) }
        }
    }

    /// Recovers from an invalid text in a sequence by skipping to the next separator.
    ///
    /// - Returns: the error, attributed to an element; nil if parsing cannot recover.
    mutating func recover(from error: any Error) -> WaybillJSONDecoder.DroppedItem? {
        guard passesBrokenTexts, let separator = validator.sequence?.separator, !passesElements,
            !(error is ElementTooLarge), repeatedByteCount <= Self.mostRepeated + Self.repetitions * offset
        else { return nil }
        // A UTF-16 document cannot be parsed, so there is no text to recover.
        guard offset + index > 1 || !mayBeUTF16 else { return nil }
        let isAfterText = validator.state == .afterValue && validator.depth == 0 && !validator.needsWhiteSpace
        let place = isAfterText ? max(0, elementIndex - 1) : elementIndex
        if !isAfterText { elementIndex += 1 }
        failure = nil
        seek(separator)
        validator.beginText()
        return WaybillJSONDecoder.DroppedItem(index: place, error: error)
    }

    /// The number of bytes that can always be reread, and the additional number allowed per byte of the document.
    ///
    /// If every line is just `[`, each line begins a text that continues until it exceeds the depth limit. Without a
    /// bound, the server would control how often each line is reread.
    private static var mostRepeated: Int { 1 << 20 }
    private static var repetitions: Int { 8 }

    /// Moves to the first separator after the start of the text, which may be before the chunk.
    private mutating func seek(_ separator: UInt8) {
        soughtSeparator = separator
        guard let text = kept.take() else {
            // The positions of later errors are counted from here.
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

    /// Skips bytes up to the separator.
    ///
    /// - Returns: whether the chunk contains the separator.
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
        // Examines only the bytes up to the error, so that the result does not depend on the size of the chunk.
        let first = (tracker.recent + chunk.prefix(2)).prefix(min(2, offset + index + 1))
        return first.contains(0) || first.contains { $0 >= 0xFE }
    }
}
