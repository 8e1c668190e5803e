import WaybillSystem

/// The body of a request or a response: bytes in memory, or chunks that are produced as they are read.
///
/// Iterate over it for the chunks, or ``collect(upTo:)`` them. A body of bytes can be read any number of times; one
/// made from a sequence only as often as that sequence can (see ``isReplayable``). A body of bytes, of a file, and of a
/// source of an app's own can also be read from any of its bytes on (see ``remainder(from:)``).
///
/// ```swift
/// for try await chunk in response.body { hash.update(chunk) }
/// ```
public struct HTTPBody: Sendable, AsyncSequence, CustomStringConvertible, CustomReflectable {
    /// A chunk of the body; an iterator returns no empty ones.
    public typealias Element = Data

    enum Storage: Sendable {
        case bytes(Data)
        case chunks(@Sendable () -> Iterator)
        /// Chunks from an offset on.
        case seekable(@Sendable (Int) -> Iterator)
    }

    let storage: Storage

    /// The number of bytes; nil if it is not known before the end.
    public let length: Int?

    /// Whether the body can be read again from its start, as a redirect or a retry has to.
    public let isReplayable: Bool

    var trailers: (@Sendable () -> HTTPFields)?

    /// The files that the body reads.
    var files: [FileSnapshot] = []

    /// Creates a body of bytes in memory, by default an empty one.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - trailerFields: the trailer fields after them.
    public init(_ bytes: Data = Data(), trailerFields: HTTPFields = []) {
        storage = .bytes(bytes)
        length = bytes.count
        isReplayable = true
        // Hardly any body has trailer fields: nothing is allocated for those without.
        guard !trailerFields.isEmpty else {
            trailers = nil
            return
        }
        trailers = { trailerFields }
    }

    /// Creates a body from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: the bytes, in order. An error that the sequence throws becomes a ``TransportError``.
    ///   - length: the total number of bytes; nil if it is not known.
    ///   - isReplayable: whether another iteration over `chunks` returns the same bytes.
    ///   - trailerFields: returns the trailer fields, which are known after the last chunk.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        isReplayable: Bool = false,
        trailerFields: (@Sendable () -> HTTPFields)? = nil
    ) where Chunks.Element == Data {
        storage = .chunks { Iterator(chunks.makeAsyncIterator()) }
        trailers = trailerFields
        self.length = length
        self.isReplayable = isReplayable
    }

    /// The bytes if they are in memory; nil for a body that is still to be produced.
    public var bytes: Data? {
        if case .bytes(let data) = storage { data } else { nil }
    }

    /// The trailer fields after the body (RFC 9110, section 6.5), if the transport passes them on.
    ///
    /// They are empty until the body has been read to its end.
    public var trailerFields: HTTPFields { trailers?() ?? [] }

    /// The number of bytes if it is known, but not the bytes.
    public var description: String { length.map { "\($0) bytes" } ?? "a stream of bytes" }

    /// The number of bytes if it is known, but not the bytes.
    public var customMirror: Mirror {
        Mirror(self, children: ["length": length as Any, "isReplayable": isReplayable], displayStyle: .struct)
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Returns: the bytes.
    /// - Throws: ``TransportError`` of kind ``TransportError/Kind/bodyTooLarge`` as soon as the limit is exceeded, or
    ///   the error that ended the body early.
    public func collect(upTo limit: Int = .max) async throws(TransportError) -> Data {
        if case .bytes(let data) = storage {
            guard data.count <= limit else { throw .bodyTooLarge(limit: limit) }
            return data
        }
        var collected = Data()
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() {
            guard chunk.count <= limit - collected.count else { throw .bodyTooLarge(limit: limit) }
            // Most often the first chunk is the whole body: taken as it is, it is not copied.
            if collected.isEmpty { collected = chunk } else { collected.append(chunk) }
        }
        return collected
    }

    /// Starts reading the body.
    public func makeAsyncIterator() -> Iterator {
        switch storage {
        case .bytes(let data): Iterator(data)
        case .chunks(let make): make()
        case .seekable(let make): make(0)
        }
    }
}
