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

    let trailers: (@Sendable () -> HTTPFields)?

    /// The files that the body reads.
    let files: [FileSnapshot]

    /// Creates a body from its parts.
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

    /// Creates a body of bytes in memory, by default an empty one.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - trailerFields: the trailer fields after them.
    public init(_ bytes: Data = Data(), trailerFields: HTTPFields = []) {
        // Hardly any body has trailer fields: nothing is allocated for those without.
        var trailers: (@Sendable () -> HTTPFields)?
        if !trailerFields.isEmpty { trailers = { trailerFields } }
        self.init(.bytes(bytes), length: bytes.count, trailers: trailers)
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
        self.init(
            .chunks { Iterator(chunks.makeAsyncIterator()) },
            length: length,
            isReplayable: isReplayable,
            trailers: trailerFields
        )
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

        /// Returns the next chunk; nil at the end of the body.
        ///
        /// - Throws: ``TransportError`` when the body ends before it is complete.
        public mutating func next() async throws(TransportError) -> Data? { try await produce() }
    }
}

/// An action that runs once: when it is asked to, or when nothing refers to it any more.
package final class EndAction: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    deinit { run() }

    /// Runs the action, unless it has run before.
    package func run() {
        let action = action.withLock { $0.take() }
        action?()
    }
}

extension HTTPBody {
    /// Returns the body with an action for its end: after its last byte, its error, or its last reader.
    package func ending(with action: EndAction) -> HTTPBody {
        HTTPBody(
            .chunks { [self] in Iterator(EndingChunks(chunks: makeAsyncIterator(), action: action)) },
            length: length,
            isReplayable: false,
            trailers: trailers
        )
    }
}

/// The chunks of a body, after which an action runs.
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
