import WaybillSystem

extension ElementParser {
    /// Decodes the next elements: all complete elements of the current chunk, or a single element that spans several
    /// chunks.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - byteCount: the number of bytes after which no further element is decoded.
    ///   - take: a closure that receives each element.
    /// - Returns: the failure of the element after those passed to `take`; nil if no element failed. If the result is
    ///   nil and `take` was not called, the appended bytes contain no further element.
    /// - Throws: an error if the document cannot be parsed further.
    mutating func read<Element: Decodable>(
        _ type: Element.Type,
        upTo byteCount: Int,
        _ take: (Element) -> Void
    ) throws -> WaybillJSONDecoder.DroppedItem? {
        while true {
            let step: Step
            do {
                step = try advance()
            } catch {
                guard let item = recover(from: error) else { throw error }
                return item
            }
            switch step {
            case .needsBytes:
                return nil
            case .elementBegins:
                // Most elements are within a single chunk and need not be copied.
                let (isRead, failure) = readWhole(type, upTo: byteCount, take)
                guard !isRead else { return failure }
                beginKeeping()
            case .elementEnds:
                guard let value = kept else { continue }
                kept = nil
                elementIndex += 1
                let part = JSONPart(pathLength: path.count + 1, tracker: value.tracker)
                do {
                    let isRead = try reading(part, at: elementIndex - 1).read(value.data, from: 0) {
                        take(try $0.decode(type, at: 1, in: 0))
                    }
                    if isRead { return nil }
                } catch {
                    return WaybillJSONDecoder.DroppedItem(index: elementIndex - 1, error: error)
                }
                throw stop(.valueTooLarge(at: pathKeys + [PathKey(index: elementIndex - 1)]))
            }
        }
    }

    /// Decodes the next elements as integers.
    mutating func readIntegers(upTo byteCount: Int) throws -> (all: [Int], failure: WaybillJSONDecoder.DroppedItem?) {
        var all: [Int] = []
        let failure = try read(Int.self, upTo: byteCount) { all.append($0) }
        return (all, failure)
    }

    /// Decodes the next elements as floating-point numbers.
    mutating func readNumbers(upTo byteCount: Int) throws -> (all: [Double], failure: WaybillJSONDecoder.DroppedItem?) {
        var all: [Double] = []
        let failure = try read(Double.self, upTo: byteCount) { all.append($0) }
        return (all, failure)
    }

    /// Decodes the complete elements of the chunk, starting with the one at ``index``.
    ///
    /// - Returns: whether any element was read, and the failure of the last one, if any.
    private mutating func readWhole<Element: Decodable>(
        _ type: Element.Type,
        upTo byteCount: Int,
        _ take: (Element) -> Void
    ) -> (isRead: Bool, failure: WaybillJSONDecoder.DroppedItem?) {
        let (data, start) = (chunk, index)
        // In a JSON text sequence, a number or literal is complete only if followed by whitespace.
        guard validator.sequence != .textSequence || "{[\"".utf8.contains(data[data.startIndex + start]) else {
            return (false, nil)
        }
        let elementLimit = elementLimit
        var (count, end) = (0, start)
        var failed: (start: Int, error: any Error)?
        reading(part ?? shareTrail(), isOpenEnded: true).readEach(data, from: start, separator: separator) {
            state,
            range in
            // The next step reports that the element is too large.
            guard range.count <= elementLimit else { return false }
            end = range.upperBound
            count += 1
            do {
                take(try state.decode(type, at: 1, in: 0))
                return end - start < byteCount
            } catch {
                failed = (range.lowerBound, error)
                return false
            }
        }
        guard count > 0 else { return (false, nil) }
        index = end
        validator.passValue()
        elementIndex += count
        guard let failed else { return (true, nil) }
        self.count(to: failed.start)
        part = nil
        return (true, WaybillJSONDecoder.DroppedItem(index: elementIndex - 1, error: failed.error))
    }

    /// The byte between two elements; nil if a single byte is not enough to identify the boundary.
    private var separator: UInt8? {
        switch validator.sequence {
        case nil: UInt8(ascii: ",")
        case .lines: UInt8(ascii: "\n")
        case .textSequence, .concatenated: nil
        }
    }

    private func reading(_ part: JSONPart, at place: Int? = nil, isOpenEnded: Bool = false) -> ValueReading {
        ValueReading(
            strategies: strategies,
            maximumDepth: strategies.maximumDepth - validator.depth,
            prefix: pathKeys,
            elementIndex: place ?? elementIndex,
            isOpenEnded: isOpenEnded,
            part: part
        )
    }

    private mutating func shareTrail() -> JSONPart {
        let shared = JSONPart(pathLength: path.count + 1, tracker: tracker)
        part = shared
        return shared
    }

    /// Decodes metadata from its retained bytes.
    func decodeMetadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
        guard let (node, rest) = tree.kept(at: path) else {
            let reason = "This metadata is not kept; name it in `keeping` before the document is read."
            throw corrupted(reason, path.map { PathKey($0) }, in: nil)
        }
        guard let value = metadata[node] else { throw absent(path) }
        let keys = path.dropLast(rest.count).map { PathKey($0) }
        let reading = ValueReading(
            strategies: strategies,
            maximumDepth: strategies.maximumDepth,
            prefix: keys,
            part: JSONPart(pathLength: keys.count, tracker: value.tracker)
        )
        var result: Value?
        _ = try reading.read(value.data, from: 0) { state in
            let place = try state.place(at: Array(rest))
            result = try state.decode(type, at: place.index, in: place.container)
        }
        guard let result else { throw DecodingError.valueTooLarge(at: keys) }
        return result
    }

    private mutating func stop(_ error: DecodingError) -> DecodingError {
        failure = error
        return error
    }
}

/// The error thrown for an element that exceeds the size limit.
package struct ElementTooLarge: Error, CustomStringConvertible {
    let path: [PathKey]
    /// The maximum size of an element, in bytes.
    package let limit: Int

    /// The path of the element and the limit.
    package var description: String { "the element \(CodingPathText.text(of: path)) has more than \(limit) bytes" }
}

extension DecodingError {
    /// Returns the error for a value of 4 GiB or more.
    static func valueTooLarge(at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "The value has 4 GiB or more."))
    }
}

/// A reader that parses each value within a document as a separate document.
struct ValueReading {
    let strategies: DecodingStrategies
    let maximumDepth: Int
    /// The path to the value, or to its array if it is an element.
    let prefix: [PathKey]
    var elementIndex: Int?
    /// Whether more bytes may follow, in which case a number at the end may be incomplete.
    var isOpenEnded = false
    /// The location of the bytes in the document.
    let part: JSONPart

    /// Parses the value at an offset and passes its tape to a closure.
    ///
    /// - Parameters:
    ///   - data: the bytes, which may continue after the value.
    ///   - start: the offset of the value's first byte.
    ///   - body: a closure that receives the tape.
    /// - Returns: whether the closure was called; false if the value is invalid or may continue after the bytes.
    /// - Throws: any error thrown by the closure.
    func read(
        _ data: Data,
        from start: Int,
        _ body: (UnsafeMutablePointer<DecodingState>) throws -> Void
    ) throws -> Bool {
        var result: Result<Void, any Error>?
        readEach(data, from: start, separator: nil) { state, _ in
            result = Result { try body(state) }
            return false
        }
        try result?.get()
        return result != nil
    }

    /// Parses consecutive values until ``read(_:from:_:)`` would return false.
    ///
    /// All values share one session: with a session per value, a list of short numbers takes twice as long.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - start: the offset of the first value's first byte.
    ///   - separator: the byte between two values; nil to parse only one.
    ///   - body: a closure that receives the tape of a value and the range of its bytes, and returns whether to
    ///     continue.
    func readEach(
        _ data: Data,
        from start: Int,
        separator: UInt8?,
        _ body: (UnsafeMutablePointer<DecodingState>, Range<Int>) -> Bool
    ) {
        data.withUnsafeBytes { buffer in
            guard start < buffer.count else { return }
            let rest = UnsafeRawBufferPointer(rebasing: buffer[start...].prefix(Tape.maximumByteCount))
            let bytes = rest.assumingMemoryBound(to: UInt8.self)
            var session = DecodingSession.pool.take()
            defer { if DecodingSession.finish(&session) { DecodingSession.pool.leave(session) } }
            let state = session.state
            session.begin(bytes, strategies)
            session.document = JSONSource(data: data, range: start..<start, of: part)
            session.pathPrefix = prefix
            session.elementIndex = elementIndex
            var first = 0
            while true {
                var length = 0
                guard state.scan(from: &length, .oneValue, maximumDepth: maximumDepth) == nil else { return }
                // A number may continue in the next bytes.
                let isNumber = bytes[first] == UInt8(ascii: "-") || bytes[first] &- 0x30 < 10
                var end = first + length
                if isNumber, isOpenEnded, end == bytes.count { return }
                state.pointee.count = length
                let range = (start + first)..<(start + end)
                session.moveDocument(to: range)
                guard body(state, range), let separator, DecodingSession.finishValue(&session) else { return }
                skipWhiteSpace(bytes, &end, before: separator)
                guard end < bytes.count, bytes[end] == separator else { return }
                first = end + 1
                skipWhiteSpace(bytes, &first)
                guard first < bytes.count else { return }
                session.beginValue(UnsafeBufferPointer(rebasing: bytes[first...]))
            }
        }
    }

    private func skipWhiteSpace(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, before separator: UInt8 = 0) {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09, byte != separator else { return }
            index += 1
        }
    }
}
