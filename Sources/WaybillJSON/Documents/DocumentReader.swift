import Foundation

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

    /// The document in UTF-8; it is returned as it is where it was in no other encoding.
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
            if let refusal = state.scan() { throw state.refused(refusal) }
            return try body(state)
        }
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Writes the tape of the document.
    func scan() -> Scanner.Refusal? {
        guard pointee.count < UInt32.max else { return .size }
        let isMarked =
            pointee.count >= 3 && pointee.bytes[0] == 0xEF && pointee.bytes[1] == 0xBB && pointee.bytes[2] == 0xBF
        var position = isMarked ? 3 : 0
        return scan(from: &position, .wholeDocument, maximumDepth: session.strategies.maximumDepth)
    }

    /// Writes the tape of a value.
    func scan(from position: inout Int, _ extent: Scanner.Extent, maximumDepth: Int) -> Scanner.Refusal? {
        withUnsafeMutablePointer(to: &pointee.tape) { tape in
            withUnsafeMutablePointer(to: &pointee.shapes) { shapes in
                Scanner(
                    bytes: pointee.bytes,
                    count: pointee.count,
                    maximumDepth: maximumDepth,
                    tape: tape,
                    shapes: shapes
                ).scan(from: &position, extent)
            }
        }
    }

    /// The error of a document that was not accepted.
    func refused(_ refusal: Scanner.Refusal) -> DecodingError {
        switch refusal {
        case .syntax: corrupted("The document is not valid JSON.", [])
        case .depth:
            corrupted("The document is nested deeper than \(session.strategies.maximumDepth) levels.", [])
        case .size: corrupted("The document has 4 GiB or more; read it element by element.", [])
        }
    }

    /// Where the value at a path is, and its container.
    func place(at path: [EnvelopeKey]) throws -> (index: Int, container: Int) {
        var place = (index: 1, container: 0)
        for step in path {
            switch step {
            case .key(let key): place = (try member(key, of: place), place.index)
            case .index(let index): place = (try element(index, of: place), place.index)
            }
        }
        return place
    }

    private func member(_ name: String, of place: (index: Int, container: Int)) throws -> Int {
        guard TapeWord.kind(pointee.tape[place.index]) == TapeKind.object else {
            throw mismatch([String: Any].self, at: place.index, in: place.container)
        }
        var utf8 = name
        let end = TapeWord.lower(pointee.tape[place.index])
        let found = utf8.withUTF8 { bytes -> Int? in
            let isASCII = bytes.allSatisfy { $0 < 0x80 }
            var position = place.index &+ 2
            while position < end {
                let value = pointee.tape.end(of: position)
                let (key, kind) = spelling(at: position)
                let isPlain = isASCII && kind == TapeKind.asciiString
                if isPlain ? key.elementsEqual(bytes) : text(at: position) == name { return value }
                position = pointee.tape.end(of: value)
            }
            return nil
        }
        guard let found else {
            throw error(codingPath(to: place.index, in: place.container), "The object has no such key.") {
                .keyNotFound(PathKey(name), $0)
            }
        }
        return found
    }

    private func element(_ index: Int, of place: (index: Int, container: Int)) throws -> Int {
        guard TapeWord.kind(pointee.tape[place.index]) == TapeKind.array else {
            throw mismatch([Any].self, at: place.index, in: place.container)
        }
        let count = elementCount(of: place.index)
        let target = index < 0 ? count + index : index
        guard target >= 0, target < count else {
            let path = codingPath(to: place.index, in: place.container) + [PathKey(index: Swift.max(target, 0))]
            throw error(path, "The array has \(count) elements.") { .valueNotFound(Any.self, $0) }
        }
        var position = place.index &+ 2
        for _ in 0..<target { position = pointee.tape.end(of: position) }
        return position
    }
}
