import WaybillSystem

/// Parsing of a document's bytes into a tape.
enum DocumentReader {
    /// Parses a document and passes its tape to a closure.
    static func read<Value>(
        _ data: Data,
        _ strategies: DecodingStrategies,
        _ body: (UnsafeMutablePointer<DecodingState>) throws -> Value
    ) throws -> Value {
        try data.withUnsafeBytes { bytes in
            guard UnicodeEncoding.unusual(of: bytes) != nil else { return try read(bytes, strategies, body) }
            return try utf8(of: data).withUnsafeBytes { try read($0, strategies, body) }
        }
    }

    private static func read<Value>(
        _ utf8: UnsafeRawBufferPointer,
        _ strategies: DecodingStrategies,
        _ body: (UnsafeMutablePointer<DecodingState>) throws -> Value
    ) throws -> Value {
        var session = DecodingSession.pool.take()
        defer { if DecodingSession.finish(&session) { DecodingSession.pool.leave(session) } }
        session.begin(utf8.assumingMemoryBound(to: UInt8.self), strategies)
        let state = session.state
        if let rejection = state.scan() { throw state.rejected(rejection) }
        return try body(state)
    }

    /// Returns the document as UTF-8, converting it from UTF-16 or UTF-32 if necessary.
    static func utf8(of data: Data) throws -> Data {
        guard let encoding = UnicodeEncoding.unusual(of: data) else { return data }
        guard let transcoded = encoding.utf8(from: data) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The document is not valid \(encoding.name).")
            )
        }
        return transcoded
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Scans the document onto the tape; returns the reason for a rejection, or nil.
    func scan() -> Scanner.Rejection? {
        guard pointee.count <= Tape.maximumByteCount else { return .size }
        let isMarked =
            pointee.count >= 3 && pointee.bytes[0] == 0xEF && pointee.bytes[1] == 0xBB && pointee.bytes[2] == 0xBF
        var position = isMarked ? 3 : 0
        return scan(from: &position, .wholeDocument, maximumDepth: session.strategies.maximumDepth)
    }

    /// Scans a value onto the tape; returns the reason for a rejection, or nil.
    func scan(from position: inout Int, _ extent: Scanner.Extent, maximumDepth: Int) -> Scanner.Rejection? {
        withUnsafeMutablePointer(to: &pointee.tape) { tape in
            withUnsafeMutablePointer(to: &pointee.shapes) { shapes in
                Scanner(bytes: pointee.bytes, count: pointee.count, tape: tape, shapes: shapes)
                    .scan(from: &position, extent, maximumDepth: maximumDepth, powersOfTen: pointee.powersOfTen)
            }
        }
    }

    /// Returns the error for a rejected document.
    func rejected(_ rejection: Scanner.Rejection) -> DecodingError {
        switch rejection {
        case .syntax: corrupted("The document is not valid JSON.", [])
        case .depth:
            corrupted("The document is nested deeper than \(session.strategies.maximumDepth) levels.", [])
        case .size: corrupted("The document has 4 GiB or more; read it element by element.", [])
        }
    }
}

/// The Unicode encodings other than UTF-8 that early JSON allowed (RFC 4627, section 3).
enum UnicodeEncoding {
    case utf16BigEndian, utf16LittleEndian, utf32BigEndian, utf32LittleEndian

    /// Returns the encoding of a document; nil for UTF-8.
    static func unusual(of data: Data) -> UnicodeEncoding? { data.withUnsafeBytes { unusual(of: $0) } }

    /// Returns the encoding of a document; nil for UTF-8.
    ///
    /// The encoding is detected from the byte order mark, or from the zero bytes in the first two characters, which are
    /// ASCII.
    static func unusual(of bytes: UnsafeRawBufferPointer) -> UnicodeEncoding? {
        guard bytes.count >= 2 else { return nil }
        // Fast path for almost every document.
        if bytes[0] != 0, bytes[1] != 0, bytes[0] < 0xFE { return nil }
        let second: (UInt8, UInt8) = bytes.count >= 4 ? (bytes[2], bytes[3]) : (0xFF, 0xFF)
        switch (bytes[0], bytes[1], second.0, second.1) {
        case (0, 0, 0xFE, 0xFF): return .utf32BigEndian
        case (0xFF, 0xFE, 0, 0): return .utf32LittleEndian
        case (0xFE, 0xFF, _, _): return .utf16BigEndian
        case (0xFF, 0xFE, _, _): return .utf16LittleEndian
        case (0, 0, 0, 1...): return .utf32BigEndian
        case (1..., 0, 0, 0): return .utf32LittleEndian
        case (0, 1..., _, _): return .utf16BigEndian
        case (1..., 0, _, _): return .utf16LittleEndian
        default: return nil
        }
    }

    /// The name of the encoding.
    var name: String {
        switch self {
        case .utf16BigEndian, .utf16LittleEndian: "UTF-16"
        case .utf32BigEndian, .utf32LittleEndian: "UTF-32"
        }
    }

    /// Converts a document to UTF-8; nil if it is invalid in this encoding.
    func utf8(from data: Data) -> Data? {
        switch self {
        case .utf16BigEndian: Self.transcode(data, as: UTF16.self) { UInt16($0[0]) << 8 | UInt16($0[1]) }
        case .utf16LittleEndian: Self.transcode(data, as: UTF16.self) { UInt16($0[1]) << 8 | UInt16($0[0]) }
        case .utf32BigEndian:
            Self.transcode(data, as: UTF32.self) { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        case .utf32LittleEndian:
            Self.transcode(data, as: UTF32.self) { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        }
    }

    private static func transcode<Encoding: Unicode.Encoding>(
        _ data: Data,
        as encoding: Encoding.Type,
        _ unit: (Slice<UnsafeRawBufferPointer>) -> Encoding.CodeUnit
    ) -> Data? {
        let size = MemoryLayout<Encoding.CodeUnit>.size
        guard data.count.isMultiple(of: size) else { return nil }
        let units = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: size).map { start in
                unit(Slice(base: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)]), bounds: 0..<size))
            }
        }
        var utf8 = Data(capacity: data.count)
        let failed = Swift.transcode(
            units.makeIterator(),
            from: encoding,
            to: UTF8.self,
            stoppingOnError: true,
            into: { utf8.append($0) }
        )
        return failed ? nil : utf8
    }
}

extension WaybillJSONDecoder.Diagnosis {
    /// Creates a diagnosis for an error from any decoder, and a document in UTF-8, UTF-16 or UTF-32.
    package init(of error: DecodingError, inEncoded document: Data) {
        self.init(of: error, in: JSONSource(data: (try? DocumentReader.utf8(of: document)) ?? document))
    }
}

extension JSONText {
    /// Returns the UTF-8 bytes of the value at a path of a document in any Unicode encoding; nil if there is no value
    /// at the path.
    package static func value(at path: [EnvelopeKey], in document: Data) -> Data? {
        let text = JSONText((try? DocumentReader.utf8(of: document)) ?? document)
        return text.location(of: path.map { PathKey($0) }).map { Data(text.bytes[$0.value]) }
    }

    /// Whether data begins like an object, array, string or number, ignoring leading whitespace.
    package static func beginsValue(_ data: Data) -> Bool {
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        guard let first = text.first(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
        return "{[\"-0123456789".utf8.contains(first)
    }

    /// Whether the bytes begin like a JSON object or array, regardless of their media type.
    ///
    /// Reads up to the first key or element, within the first 512 bytes. A string or number is not enough to
    /// distinguish JSON from other text.
    package static func isContainer(_ data: Data) -> Bool {
        let beginning = data.prefix(512)
        let text = JSONText((try? DocumentReader.utf8(of: beginning)) ?? beginning)
        var tokens = text.tokens
        do throws(JSONSyntaxError) {
            guard let first = try tokens.next(), first.kind == .beginObject || first.kind == .beginArray else {
                return false
            }
            _ = try tokens.next()
            return true
        } catch {
            // The first key may extend beyond the examined bytes.
            return tokens.depth > 0 && error.offset >= text.bytes.count
        }
    }
}
