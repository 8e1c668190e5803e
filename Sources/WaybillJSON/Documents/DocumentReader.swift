import WaybillSystem

/// The way from a document's bytes to its tape, and from there to values.
enum DocumentReader {
    /// Reads a document and hands its tape to a closure.
    static func read<Value>(
        _ data: Data,
        _ strategies: DecodingStrategies,
        _ body: (UnsafeMutablePointer<DecodingState>) throws -> Value
    ) throws -> Value {
        try readUTF8(utf8(of: data), strategies, body)
    }

    /// Returns the document in UTF-8: the argument itself if it is in no other encoding.
    static func utf8(of data: Data) throws -> Data {
        guard let encoding = UnicodeEncoding.unusual(of: data) else { return data }
        guard let transcoded = encoding.utf8(from: data) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The document is not valid \(encoding.name).")
            )
        }
        return transcoded
    }

    private static func readUTF8<Value>(
        _ data: Data,
        _ strategies: DecodingStrategies,
        _ body: (UnsafeMutablePointer<DecodingState>) throws -> Value
    ) throws -> Value {
        try data.withUnsafeBytes { buffer in
            let bytes = buffer.assumingMemoryBound(to: UInt8.self)
            var session = SessionPool.take()
            defer { if DecodingSession.finish(&session) { SessionPool.leave(session) } }
            let state = session.state
            session.begin(bytes, strategies)
            if let rejection = state.scan() { throw state.rejected(rejection) }
            return try body(state)
        }
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Writes the tape of the document.
    func scan() -> Scanner.Rejection? {
        guard pointee.count <= Tape.maximumByteCount else { return .size }
        let isMarked =
            pointee.count >= 3 && pointee.bytes[0] == 0xEF && pointee.bytes[1] == 0xBB && pointee.bytes[2] == 0xBF
        var position = isMarked ? 3 : 0
        return scan(from: &position, .wholeDocument, maximumDepth: session.strategies.maximumDepth)
    }

    /// Writes the tape of a value.
    func scan(from position: inout Int, _ extent: Scanner.Extent, maximumDepth: Int) -> Scanner.Rejection? {
        withUnsafeMutablePointer(to: &pointee.tape) { tape in
            withUnsafeMutablePointer(to: &pointee.shapes) { shapes in
                Scanner(
                    bytes: pointee.bytes,
                    count: pointee.count,
                    maximumDepth: maximumDepth,
                    tape: tape,
                    shapes: shapes,
                    powersOfTen: pointee.powersOfTen
                ).scan(from: &position, extent)
            }
        }
    }

    /// Returns the error of a document that was rejected.
    func rejected(_ rejection: Scanner.Rejection) -> DecodingError {
        switch rejection {
        case .syntax: corrupted("The document is not valid JSON.", [])
        case .depth:
            corrupted("The document is nested deeper than \(session.strategies.maximumDepth) levels.", [])
        case .size: corrupted("The document has 4 GiB or more; read it element by element.", [])
        }
    }
}
