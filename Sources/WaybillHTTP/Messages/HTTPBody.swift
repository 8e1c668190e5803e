import WaybillSystem

/// The body of a request or a response: bytes in memory, or chunks produced as they are read.
///
/// Iterate over a body to read its chunks, or call ``collect(upTo:)``. A body in memory can be read any number of
/// times; a body created from a sequence can be read again only if the sequence can (see ``isReplayable``). Bodies in
/// memory, from files or from seekable sources can also be read from any offset (see ``remainder(from:)``).
///
/// ```swift
/// for try await chunk in response.body { hash.update(chunk) }
/// ```
public struct HTTPBody: Sendable, AsyncSequence, CustomStringConvertible, PartlyShown {
    /// A chunk of the body; never empty.
    public typealias Element = Data

    enum Storage: Sendable {
        case bytes(Data)
        case chunks(@Sendable () -> Iterator)
        /// Chunks that start at a given offset.
        case seekable(@Sendable (Int) -> Iterator)
    }

    let storage: Storage

    /// The number of bytes; nil if unknown until the end of the body.
    public let length: Int?

    /// Whether the body can be read again from its start, as redirects and retries require.
    public let isReplayable: Bool

    let trailers: (@Sendable () -> HTTPFields)?

    /// The files from which the body is read.
    let files: [FileSnapshot]

    init(
        _ storage: Storage,
        length: Int?,
        isReplayable: Bool = true,
        trailers: (@Sendable () -> HTTPFields)? = nil,
        files: [FileSnapshot] = []
    ) {
        self.storage = storage
        self.length = length
        self.isReplayable = isReplayable
        self.trailers = trailers
        self.files = files
    }

    /// Creates a body in memory, by default an empty one.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - trailerFields: the trailer fields that follow the bytes.
    public init(_ bytes: Data = Data(), trailerFields: HTTPFields = []) {
        // Avoids an allocation for most bodies, which have no trailer fields.
        var trailers: (@Sendable () -> HTTPFields)?
        if !trailerFields.isEmpty { trailers = { trailerFields } }
        self.init(.bytes(bytes), length: bytes.count, trailers: trailers)
    }

    /// Creates a body from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: the bytes, in order. An error thrown by the sequence becomes a ``TransportError``.
    ///   - length: the total number of bytes; nil if unknown.
    ///   - isReplayable: whether every iteration over `chunks` returns the same bytes.
    ///   - trailerFields: returns the trailer fields, which need not be known until after the last chunk.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        isReplayable: Bool = false,
        trailerFields: (@Sendable () -> HTTPFields)? = nil
    ) where Chunks.Element == Data {
        self.init(
            .chunks { Iterator(chunks.makeAsyncIterator()) },
            length: length,
            isReplayable: isReplayable,
            trailers: trailerFields
        )
    }

    /// The bytes if the body is in memory; otherwise nil.
    public var bytes: Data? {
        if case .bytes(let data) = storage { data } else { nil }
    }

    /// The trailer fields (RFC 9110, section 6.5), if the transport provides them.
    ///
    /// If the body is not in memory, they are empty until it has been read to its end.
    public var trailerFields: HTTPFields { trailers?() ?? [] }

    /// The number of bytes, if known; never the bytes themselves.
    public var description: String { length.map { "\($0) bytes" } ?? "a stream of bytes" }

    /// The length and whether the body is replayable; never the bytes themselves.
    package var shownParts: KeyValuePairs<String, Any> { ["length": length as Any, "isReplayable": isReplayable] }

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
            // Usually the first chunk is the whole body, and using it directly avoids a copy.
            if collected.isEmpty { collected = chunk } else { collected.append(chunk) }
        }
        return collected
    }

    /// Creates an iterator over the chunks.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> Iterator {
        switch storage {
        case .bytes(let data): Iterator(data)
        case .chunks(let make): make()
        case .seekable(let make): make(0)
        }
    }
}

extension HTTPBody {
    /// An iterator over the chunks of a body.
    public struct Iterator: AsyncIteratorProtocol {
        private var produce: () async throws(TransportError) -> Data?

        init(_ data: Data) {
            var rest: Data? = data.isEmpty ? nil : data
            produce = { () async throws(TransportError) -> Data? in
                defer { rest = nil }
                return rest
            }
        }

        init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Data {
            var base = base
            produce = { () async throws(TransportError) -> Data? in
                do {
                    while let chunk = try await base.next() {
                        if !chunk.isEmpty { return chunk }
                    }
                    return nil
                } catch {
                    throw TransportError(wrapping: error)
                }
            }
        }

        /// Reads the next chunk.
        ///
        /// - Returns: the chunk; nil at the end of the body.
        /// - Throws: ``TransportError`` if the body is incomplete or cannot be read.
        public mutating func next() async throws(TransportError) -> Data? { try await produce() }
    }
}

/// An action that runs at most once: on request, or when the last reference to it is released.
package final class EndAction: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    deinit { run() }

    /// Runs the action unless it has already run.
    package func run() {
        let action = action.withLock { $0.take() }
        action?()
    }
}

extension HTTPBody {
    /// Returns a copy of the body that runs an action after its last byte, after an error, or when its last reader is
    /// released.
    package func ending(with action: EndAction) -> HTTPBody {
        HTTPBody(
            .chunks { [self] in Iterator(EndingChunks(chunks: makeAsyncIterator(), action: action)) },
            length: length,
            isReplayable: false,
            trailers: trailers
        )
    }
}

/// The chunks of a body, followed by an action.
private struct EndingChunks: AsyncIteratorProtocol {
    var chunks: HTTPBody.Iterator
    let action: EndAction

    mutating func next() async throws -> Data? {
        do {
            let chunk = try await chunks.next()
            if chunk == nil { action.run() }
            return chunk
        } catch {
            action.run()
            throw error
        }
    }
}
