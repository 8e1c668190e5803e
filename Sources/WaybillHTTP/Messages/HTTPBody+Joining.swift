import WaybillSystem

extension HTTPBody {
    /// The maximum total length of adjacent in-memory bodies that are joined, in bytes.
    private static let joinedBytes = 64 * 1024

    /// Creates a body that concatenates several bodies.
    ///
    /// Its length is known if all lengths are known. It is replayable or seekable if all bodies are.
    package init(joining bodies: [HTTPBody]) {
        let bodies = Self.joiningAdjacent(bodies)
        guard bodies.count > 1 else {
            self = bodies.first ?? HTTPBody()
            return
        }
        let length = Self.totalLength(bodies)
        guard let length, bodies.allSatisfy(\.isSeekable) else {
            let isReplayable = bodies.allSatisfy(\.isReplayable)
            let chunks = Storage.chunks { Iterator(JoinedChunks(rest: bodies[...])) }
            self.init(chunks, length: length, isReplayable: isReplayable)
            return
        }
        let chunks = Storage.seekable { Iterator(JoinedChunks(rest: bodies[...], offset: $0)) }
        self.init(chunks, length: length, files: bodies.flatMap(\.files))
    }

    private static func totalLength(_ bodies: [HTTPBody]) -> Int? {
        var total = 0
        for body in bodies {
            guard let length = body.length else { return nil }
            let (sum, overflows) = total.addingReportingOverflow(length)
            guard !overflows else { return nil }
            total = sum
        }
        return total
    }

    /// Returns the bodies, with short adjacent in-memory bodies joined.
    private static func joiningAdjacent(_ bodies: [HTTPBody]) -> [HTTPBody] {
        var joined: [HTTPBody] = []
        for body in bodies where body.length != 0 {
            if let bytes = body.bytes, let last = joined.last?.bytes, last.count + bytes.count <= joinedBytes {
                joined[joined.count - 1] = HTTPBody(last + bytes)
            } else {
                joined.append(body)
            }
        }
        return joined
    }
}

/// The chunks of several bodies in order.
private struct JoinedChunks: AsyncIteratorProtocol {
    private var rest: ArraySlice<HTTPBody>
    /// The number of bytes left to skip.
    private var offset: Int
    private var chunks: HTTPBody.Iterator?
    /// The number of unread bytes of the current body, according to its declared length.
    private var remaining: Int?

    init(rest: ArraySlice<HTTPBody>, offset: Int = 0) {
        self.rest = rest
        self.offset = offset
    }

    mutating func next() async throws -> Data? {
        while true {
            if chunks == nil {
                guard let body = nextBody() else { return nil }
                chunks = body.makeAsyncIterator()
                remaining = body.length
            }
            let chunk = try await chunks?.next()
            // A wrong length would shift the following bodies, and a second one could hide it in the total.
            if let remaining {
                let left = remaining - (chunk?.count ?? 0)
                guard chunk == nil ? left == 0 : left >= 0 else {
                    throw TransportError(.unsupportedRequest, "a part of its body does not have its declared length")
                }
                self.remaining = left
            }
            if let chunk { return chunk }
            chunks = nil
        }
    }

    /// Returns the next body without the bytes before the offset.
    private mutating func nextBody() -> HTTPBody? {
        while let body = rest.popFirst() {
            guard offset > 0, let length = body.length else { return body }
            if offset < length {
                defer { offset = 0 }
                return body.remainder(from: offset) ?? body
            }
            offset -= length
        }
        return nil
    }
}
