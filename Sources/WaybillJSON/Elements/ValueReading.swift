import Foundation

/// How one value within a document is read: by the same way as a whole document.
struct ValueReading {
    let strategies: DecodingStrategies
    let maximumDepth: Int
    /// The way to the value, and its place where it is an element.
    let prefix: [PathKey]
    var elementIndex: Int?
    /// Whether more bytes may follow those at hand, so that a number at their end need not be complete.
    var isOpenEnded = false
    /// What the bytes are in the document.
    let part: JSONPart

    /// Reads the value that begins at an offset, and hands its tape to a closure.
    ///
    /// - Parameters:
    ///   - data: The bytes; the value need not be the last one in them.
    ///   - start: The offset of its first byte.
    ///   - end: The offset behind its last byte, from when the closure is called.
    /// - Returns: Whether the closure was called: not where the value does not end within the bytes, as far as they show,
    ///   and not where it is not valid.
    func read(
        _ data: Data,
        from start: Int,
        to end: inout Int,
        _ body: (UnsafeMutablePointer<DecodingState>) throws -> Void
    ) throws -> Bool {
        try data.withUnsafeBytes { buffer in
            guard start < buffer.count else { return false }
            let rest = UnsafeRawBufferPointer(rebasing: buffer[start...].prefix(Tape.maximumByteCount))
            let bytes = rest.assumingMemoryBound(to: UInt8.self)
            var session = SessionPool.take()
            defer { if DecodingSession.finish(&session) { SessionPool.leave(session) } }
            let state = session.state
            session.begin(bytes, strategies)
            var length = 0
            guard state.scan(from: &length, .oneValue, maximumDepth: maximumDepth) == nil else { return false }
            // More digits may follow a number.
            let isNumber = bytes[0] == UInt8(ascii: "-") || bytes[0] &- 0x30 < 10
            if isNumber, isOpenEnded, length == bytes.count { return false }
            end = start + length
            state.pointee.count = length
            session.document = JSONSource(data: data, range: start..<end, of: part)
            session.pathPrefix = prefix
            session.elementIndex = elementIndex
            try body(state)
            return true
        }
    }
}
