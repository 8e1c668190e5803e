import WaybillSystem

/// The bytes of a document without the elements of its array: `{"total":3,"items":[],"meta":{}}`.
struct ElementOutline: Sendable {
    private(set) var data = Data()
    /// Whether there were more bytes than the limit.
    private(set) var isTruncated = false
    /// The offset in the chunk of the first byte that is still to be taken; nil within the array.
    private var start: Int? = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes the rest of a chunk that has been read.
    mutating func take(_ chunk: Data) {
        guard let start else { return }
        append(chunk.dropFirst(start))
        self.start = 0
    }

    /// Takes the bytes up to the bracket that opens the array, and passes over those behind it.
    mutating func pause(_ chunk: Data, at index: Int) {
        guard let start else { return }
        append(chunk.dropFirst(start).prefix(index + 1 - start))
        self.start = nil
    }

    /// Takes the bytes from an offset of the chunk on.
    mutating func resume(at index: Int) { start = index }

    private mutating func append(_ bytes: Data) {
        guard !isTruncated else { return }
        if bytes.count <= limit - data.count {
            data.append(bytes)
        } else {
            isTruncated = true
            data = Data()
        }
    }
}
