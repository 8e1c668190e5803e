import WaybillSystem

extension Body {
    /// A list that is sent one JSON text after the other, while it is produced.
    package struct Lines: Sendable {
        /// Returns the bytes of one text, with what separates it from the others.
        package typealias Encode = @Sendable (any Encodable) throws -> Data

        /// Returns the body, whose texts are encoded as they are sent.
        package let body: @Sendable (@escaping Encode) -> HTTPBody
        package let contentType: String

        /// Whether each text is after a record separator (RFC 7464), and not on a line.
        package var isTextSequence: Bool {
            let essence = MediaType(contentType).essence
            return essence == "application/json-seq" || essence.hasSuffix("+json-seq")
        }
    }

    /// Creates a body of JSON Lines: the elements of a collection, one a line, encoded while they are sent.
    ///
    /// The encoder in scope writes them (see ``Encode``); one of another format than JSON leaves it to Waybill's. An
    /// element that cannot be encoded ends the request with an ``APIError/TransportFailure``; what is before it may
    /// have been sent.
    ///
    /// ```swift
    /// endpoint {
    ///     POST("documents/import")
    ///     Body(lines: documents)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - contentType: the media type. With `application/json-seq`, or a suffix `+json-seq`, each text is after a
    ///     record separator (RFC 7464).
    public init<Elements: Collection & Sendable>(lines elements: Elements, contentType: String = "application/jsonl")
    where Elements.Element: Encodable & Sendable {
        self.init(lines: elements, contentType: contentType, isReplayable: true)
    }

    /// Creates a body of JSON Lines: the elements of a sequence, one a line, encoded while they are sent.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - contentType: the media type, as for a collection.
    ///   - isReplayable: whether another iteration gives the same elements. Without it, the request is not sent a
    ///     second time: not by ``Retry``, nor after a 307, nor with a renewed token.
    public init<Elements: Sequence & Sendable>(
        lines elements: Elements,
        contentType: String = "application/jsonl",
        isReplayable: Bool = false
    ) where Elements.Element: Encodable & Sendable {
        self.init(
            .lines(
                Lines(
                    body: { encode in
                        HTTPBody(PlainLines(elements: elements, encode: encode), isReplayable: isReplayable)
                    },
                    contentType: contentType
                )
            )
        )
    }

    /// Creates a body of JSON Lines: the elements of an asynchronous sequence, one a line.
    ///
    /// The next element is asked for when the server has taken those before it. An error of the sequence ends the
    /// request with an ``APIError/TransportFailure``.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - contentType: the media type, as for a collection.
    ///   - isReplayable: whether another iteration gives the same elements. Without it, the request is not sent a
    ///     second time: not by ``Retry``, nor after a 307, nor with a renewed token.
    public init<Elements: AsyncSequence & Sendable>(
        lines elements: Elements,
        contentType: String = "application/jsonl",
        isReplayable: Bool = false
    ) where Elements.Element: Encodable & Sendable {
        self.init(
            .lines(
                Lines(
                    body: { encode in
                        HTTPBody(elements.map { try encode($0) }, isReplayable: isReplayable)
                    },
                    contentType: contentType
                )
            )
        )
    }
}

/// The lines of a sequence, in chunks of some KB: a chunk a line would be slow.
private struct PlainLines<Elements: Sequence & Sendable>: AsyncSequence, Sendable
where Elements.Element: Encodable & Sendable {
    typealias Element = Data

    let elements: Elements
    let encode: Body.Lines.Encode

    struct AsyncIterator: AsyncIteratorProtocol {
        var elements: Elements.Iterator
        let encode: Body.Lines.Encode

        mutating func next() async throws -> Data? {
            var chunk = Data()
            while chunk.count < 16 * 1024, let element = elements.next() { chunk += try encode(element) }
            return chunk.isEmpty ? nil : chunk
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(elements: elements.makeIterator(), encode: encode) }
}
