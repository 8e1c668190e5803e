import WaybillSystem

extension HTTPBody {
    /// Creates a body from chunks that can be read from any offset.
    ///
    /// ```swift
    /// HTTPBody(length: blob.count) { offset in blob.chunks(from: offset) }
    /// ```
    ///
    /// The body is replayable and seekable; see ``remainder(from:)``.
    ///
    /// - Parameters:
    ///   - length: the total number of bytes.
    ///   - chunks: returns the bytes from an offset between 0 and `length`, which must be the same each time. An error
    ///     thrown by the sequence becomes a ``TransportError``.
    public init<Chunks: AsyncSequence & Sendable>(length: Int, _ chunks: @escaping @Sendable (_ offset: Int) -> Chunks)
    where Chunks.Element == Data {
        self.init(.seekable { Iterator(chunks($0).makeAsyncIterator()) }, length: length)
    }

    /// Whether the body can be read from any offset; see ``remainder(from:)``.
    public var isSeekable: Bool {
        if case .chunks = storage { false } else { true }
    }

    /// Returns the body without its first bytes.
    ///
    /// - Parameter offset: the number of bytes to skip.
    /// - Returns: the rest, which is also seekable; nil if this body is not seekable, or if the offset is negative or
    ///   past its end.
    public func remainder(from offset: Int) -> HTTPBody? {
        guard offset >= 0, let length, offset <= length else { return nil }
        let rest: Storage
        switch storage {
        case .bytes(let data): rest = .bytes(Data(data.dropFirst(offset)))
        case .chunks: return nil
        case .seekable(let chunks): rest = .seekable { chunks(offset + $0) }
        }
        return HTTPBody(rest, length: length - offset, trailers: trailers, files: files)
    }

    /// Returns a copy of the body that passes the end offset of each chunk to a closure as it is read.
    ///
    /// A body that is in memory or not seekable is returned unchanged.
    package func counting(_ receive: @escaping @Sendable (Int) -> Void) -> HTTPBody {
        guard case .seekable(let chunks) = storage, let length else { return self }
        let counted = Storage.seekable { offset in
            Iterator(CountedChunks(chunks: chunks(offset), end: offset, receive: receive))
        }
        return HTTPBody(counted, length: length, trailers: trailers, files: files)
    }

    /// Returns a copy of the body that passes each chunk and its offset to a closure as it is read, and nil at the end.
    ///
    /// A body in memory is returned unchanged.
    package func observing(_ receive: @escaping @Sendable (_ chunk: Data?, _ offset: Int) -> Void) -> HTTPBody {
        let observed: Storage
        switch storage {
        case .bytes: return self
        case .chunks(let make):
            observed = .chunks { Iterator(ObservedChunks(chunks: make(), offset: 0, receive: receive)) }
        case .seekable(let chunks):
            observed = .seekable { offset in
                Iterator(ObservedChunks(chunks: chunks(offset), offset: offset, receive: receive))
            }
        }
        return HTTPBody(observed, length: length, isReplayable: isReplayable, trailers: trailers, files: files)
    }

    /// Returns a range of the body, which is also seekable; nil if this body is not seekable or is too short.
    package func part(_ range: Range<Int>) -> HTTPBody? {
        guard let length, range.upperBound <= length, let rest = remainder(from: range.lowerBound) else { return nil }
        if range.upperBound == length { return rest }
        if let bytes = rest.bytes { return HTTPBody(Data(bytes.prefix(range.count))) }
        let part = Storage.seekable { [self] offset in
            let rest = remainder(from: range.lowerBound + offset) ?? HTTPBody()
            return Iterator(FirstChunks(chunks: rest.makeAsyncIterator(), remaining: range.count - offset))
        }
        return HTTPBody(part, length: range.count)
    }
}

/// The chunks of a body, each returned after its end offset has been reported.
private struct CountedChunks: AsyncIteratorProtocol {
    var chunks: HTTPBody.Iterator
    var end: Int
    let receive: @Sendable (Int) -> Void

    mutating func next() async throws -> Data? {
        guard let chunk = try await chunks.next() else { return nil }
        end += chunk.count
        receive(end)
        return chunk
    }
}

/// The chunks of a body, each returned after it has been reported with its offset.
private struct ObservedChunks: AsyncIteratorProtocol {
    var chunks: HTTPBody.Iterator
    var offset: Int
    let receive: @Sendable (Data?, Int) -> Void

    mutating func next() async throws -> Data? {
        let chunk = try await chunks.next()
        receive(chunk, offset)
        offset += chunk?.count ?? 0
        return chunk
    }
}

/// The chunks of a body, truncated after a number of bytes.
private struct FirstChunks: AsyncIteratorProtocol {
    var chunks: HTTPBody.Iterator
    var remaining: Int

    mutating func next() async throws -> Data? {
        guard remaining > 0, let chunk = try await chunks.next() else { return nil }
        let first = chunk.prefix(remaining)
        remaining -= first.count
        return Data(first)
    }
}
