import WaybillSystem

/// Chunks in the order in which they came.
struct ChunkQueue: Sendable {
    private var chunks: [Data] = []
    private var first = 0
    /// The number of bytes in all of them.
    private(set) var byteCount = 0

    /// Takes a chunk.
    mutating func append(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        chunks.append(chunk)
        byteCount += chunk.count
    }

    /// Returns the next chunk; amortized, in constant time.
    mutating func next() -> Data? {
        guard first < chunks.count else { return nil }
        let chunk = chunks[first]
        chunks[first] = Data()
        first += 1
        byteCount -= chunk.count
        if 2 * first >= chunks.count {
            chunks.removeFirst(first)
            first = 0
        }
        return chunk
    }
}
