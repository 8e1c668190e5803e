import WaybillSystem

extension HTTPBody {
    /// Reads the first chunks without consuming them: the body still starts with them afterwards.
    ///
    /// If the body ends while more chunks are needed, it is then kept in memory.
    ///
    /// - Parameter isMoreNeeded: receives each chunk and returns whether the next one is needed.
    /// - Throws: the error that ended the body early.
    package mutating func readBeginning(
        _ isMoreNeeded: (Data) -> Bool
    ) async throws(TransportError) {
        if case .bytes(let data) = storage {
            _ = isMoreNeeded(data)
            return
        }
        var iterator = makeAsyncIterator()
        var chunks: [Data] = []
        while let chunk = try await iterator.next() {
            chunks.append(chunk)
            guard isMoreNeeded(chunk) else {
                let rest = PrefixedChunks(chunks: chunks, rest: iterator)
                self = HTTPBody(.chunks { Iterator(rest) }, length: length, isReplayable: false, trailers: trailers)
                return
            }
        }
        var bytes = Data()
        for chunk in chunks { bytes.append(chunk) }
        self = HTTPBody(.bytes(bytes), length: bytes.count, trailers: trailers)
    }
}

/// Chunks that have already been read, followed by the rest of their body.
///
/// `@unchecked Sendable`: a body that is not replayable is read once, by one task at a time.
private final class PrefixedChunks: AsyncIteratorProtocol, @unchecked Sendable {
    private var chunks: ArraySlice<Data>
    private var rest: HTTPBody.Iterator

    init(chunks: [Data], rest: HTTPBody.Iterator) {
        self.chunks = chunks[...]
        self.rest = rest
    }

    func next() async throws -> Data? {
        if let chunk = chunks.popFirst() { return chunk }
        return try await rest.next()
    }
}
