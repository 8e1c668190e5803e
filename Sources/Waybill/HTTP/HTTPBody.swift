import Foundation

/// The body of a request or a response: bytes in memory, or chunks that are produced as they are read.
///
/// Iterate it for the chunks, or ``collect(upTo:)`` them. A body of bytes can be read any number of times; one made
/// from a sequence only as often as that sequence can (see ``isReplayable``).
///
/// ```swift
/// for try await chunk in response.body { hash.update(chunk) }
/// ```
public struct HTTPBody: Sendable, AsyncSequence, CustomStringConvertible, CustomReflectable {
    /// A chunk of the body; never empty when it comes out of an iterator.
    public typealias Element = Data

    private enum Storage: Sendable {
        case bytes(Data)
        case chunks(@Sendable () -> Iterator)
    }

    private let storage: Storage

    /// The number of bytes, or nil where it is not known before the end.
    public let length: Int?

    /// Whether the body can be read again from its start, as a redirect or a retry has to.
    public let isReplayable: Bool

    private let trailers: (@Sendable () -> HTTPFields)?

    /// The secrets of the message that it is the body of, for its trailer fields.
    private var secrets: (any CallSecrets)?

    /// Creates a body of bytes in memory; by default an empty one.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - trailerFields: the fields behind them.
    public init(_ bytes: Data = Data(), trailerFields: HTTPFields = []) {
        storage = .bytes(bytes)
        length = bytes.count
        isReplayable = true
        // Hardly any body has some: nothing is allocated for those that have none.
        guard !trailerFields.isEmpty else {
            trailers = nil
            return
        }
        trailers = { trailerFields }
    }

    /// Creates a body from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: the bytes, in order. An error that it throws becomes a ``TransportError``.
    ///   - length: the number of bytes in all, where it is known.
    ///   - isReplayable: whether iterating `chunks` again gives the same bytes again.
    ///   - trailerFields: the fields behind them, which are asked for when the chunks have come to their end.
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

    /// The bytes, where they are in memory already; nil for a body that is still to be produced.
    public var bytes: Data? {
        if case .bytes(let data) = storage { data } else { nil }
    }

    /// The trailer fields behind the body (RFC 9110, section 6.5), as far as the transport passes them on.
    ///
    /// They are there when the body has been read to its end; until then there are none.
    public var trailerFields: HTTPFields { trailers?().adopting(secrets) ?? [] }

    /// The body with what its trailer fields know of secrets.
    func adopting(_ secrets: (any CallSecrets)?) -> HTTPBody {
        guard trailers != nil else { return self }
        var body = self
        body.secrets = secrets
        return body
    }

    /// The number of bytes, as far as it is known; never the bytes.
    public var description: String { length.map { "\($0) bytes" } ?? "a stream of bytes" }

    /// The number of bytes, as far as it is known; never the bytes.
    public var customMirror: Mirror {
        Mirror(self, children: ["length": length as Any, "isReplayable": isReplayable], displayStyle: .struct)
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: the most bytes to accept.
    /// - Throws: ``TransportError`` of kind ``TransportError/Kind/bodyTooLarge`` as soon as there are more bytes than
    ///   that, and whatever ended the body early.
    public func collect(upTo limit: Int = .max) async throws(TransportError) -> Data {
        if case .bytes(let data) = storage {
            guard data.count <= limit else { throw .bodyTooLarge(limit: limit) }
            return data
        }
        var collected = Data()
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() {
            guard chunk.count <= limit - collected.count else { throw .bodyTooLarge(limit: limit) }
            // The first chunk is mostly the whole body: taken as it is, it is not copied.
            if collected.isEmpty { collected = chunk } else { collected.append(chunk) }
        }
        return collected
    }

    /// Starts reading the body.
    public func makeAsyncIterator() -> Iterator {
        switch storage {
        case .bytes(let data): Iterator(data)
        case .chunks(let make): make()
        }
    }
}

extension HTTPBody {
    /// Reads a body chunk by chunk.
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

        /// The next chunk, or nil at the body's end.
        ///
        /// - Throws: ``TransportError`` when the body ends before it is complete.
        public mutating func next() async throws(TransportError) -> Data? { try await produce() }
    }
}
