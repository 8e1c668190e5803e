import WaybillSystem

/// Reads values within a document like whole documents.
struct ValueReading {
    let strategies: DecodingStrategies
    let maximumDepth: Int
    /// The path to the value, and its index if it is an element.
    let prefix: [PathKey]
    var elementIndex: Int?
    /// Whether more bytes may follow those at hand, so that a number at their end need not be complete.
    var isOpenEnded = false
    /// The place of the bytes in the document.
    let part: JSONPart

    /// Reads the value that begins at an offset, and passes its tape to a closure.
    ///
    /// - Parameters:
    ///   - data: the bytes; the value need not be the last one in them.
    ///   - start: the offset of its first byte.
    ///   - body: takes the tape.
    /// - Returns: whether the closure was called: not if the value does not end within the bytes, as far as they show,
    ///   and not if it is not valid.
    /// - Throws: the error of the closure.
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

    /// Reads values one after the other, up to the first one for which ``read(_:from:_:)`` would return false.
    ///
    /// One session reads all of them: with one for each, a list of short numbers takes twice as long.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - start: the offset of the first value's first byte.
    ///   - separator: the byte between two values; nil if there is only one.
    ///   - body: takes the tape of a value and the offsets of its bytes, and returns whether another one is to be read.
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
            var session = SessionPool.take()
            defer { if DecodingSession.finish(&session) { SessionPool.leave(session) } }
            let state = session.state
            session.begin(bytes, strategies)
            session.document = JSONSource(data: data, range: start..<start, of: part)
            session.pathPrefix = prefix
            session.elementIndex = elementIndex
            var first = 0
            while true {
                var length = 0
                guard state.scan(from: &length, .oneValue, maximumDepth: maximumDepth) == nil else { return }
                // More digits may follow a number.
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
