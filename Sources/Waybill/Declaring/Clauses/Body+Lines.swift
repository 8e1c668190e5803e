import WaybillSystem

extension Body {
    /// A list whose elements are encoded as JSON texts while they are sent.
    package struct Lines: Sendable {
        /// A function that returns the bytes of an element's JSON text, including its separators.
        package typealias Encode = @Sendable (any Encodable) throws -> Data

        /// Returns the body, which encodes each text as it is sent.
        package let body: @Sendable (@escaping Encode) -> HTTPBody
        package let contentType: String

        /// Whether each text follows a record separator (RFC 7464).
        ///
        /// Otherwise, each text is a line.
        package var isTextSequence: Bool {
            let essence = MediaType(contentType).essence
            return essence == "application/json-seq" || essence.hasSuffix("+json-seq")
        }
    }

    /// Creates a JSON Lines body from a collection: one element per line, encoded as it is sent.
    ///
    /// The elements are encoded with the encoder in scope (see ``Encode``), or with Waybill's JSON encoder if the one
    /// in scope does not write JSON. If an element cannot be encoded, the request fails with an
    /// ``APIError/TransportFailure``. Earlier elements may already have been sent.
    ///
    /// ```swift
    /// endpoint {
    ///     POST("documents/import")
    ///     Body(lines: documents)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - elements: the elements to send.
    ///   - contentType: the media type. If it is `application/json-seq` or has the suffix `+json-seq`, each text
    ///     follows a record separator (RFC 7464).
    public init<Elements: Collection & Sendable>(lines elements: Elements, contentType: String = "application/jsonl")
    where Elements.Element: Encodable & Sendable {
        self.init(lines: elements, contentType: contentType, isReplayable: true)
    }

    /// Creates a JSON Lines body from a sequence: one element per line, encoded as it is sent.
    ///
    /// - Parameters:
    ///   - elements: the elements to send.
    ///   - contentType: the media type. If it is `application/json-seq` or has the suffix `+json-seq`, each text
    ///     follows a record separator (RFC 7464).
    ///   - isReplayable: whether iterating again produces the same elements. If not, the request is never resent: not
    ///     by ``Retry``, not after a 307, and not with a renewed token.
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

    /// Creates a JSON Lines body from an asynchronous sequence: one element per line.
    ///
    /// Elements are requested only as fast as the body is sent. If the sequence throws, the request fails with an
    /// ``APIError/TransportFailure``.
    ///
    /// - Parameters:
    ///   - elements: the elements to send.
    ///   - contentType: the media type. If it is `application/json-seq` or has the suffix `+json-seq`, each text
    ///     follows a record separator (RFC 7464).
    ///   - isReplayable: whether iterating again produces the same elements. If not, the request is never resent: not
    ///     by ``Retry``, not after a 307, and not with a renewed token.
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

/// The lines of a sequence, in chunks of at least 16 KiB, because one chunk per line would be slow.
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
