import WaybillJSON
import WaybillSystem

/// The elements of a list, decoded while the response arrives.
///
/// ```swift
/// let products = try await shop.products.stream()
/// for try await product in products { print(product.name) }
/// ```
///
/// An element is returned as soon as its last byte has arrived. Memory holds a chunk of the body with the elements of
/// at most 64 KiB of it, or one longer element, and what the document has beside the list if ``Metadata`` asks for it,
/// so that a list may be longer than memory. ``BodyLimits`` limit each of these.
///
/// A slow reader applies back-pressure. When the loop is left and the stream is not kept, or when the task is
/// cancelled, the connection is closed. The list can be read once, by one task: a second loop continues where the first
/// has stopped.
///
/// The loop ends without an error only if the whole body has been checked: a body that breaks off, that is not valid
/// or that lacks the list is an error, after the last element before it.
public struct ElementStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let source: ElementSource<Element>

    init(_ source: ElementSource<Element>) { self.source = source }

    /// The status.
    public var status: HTTPResponse.Status { source.body.response.status }

    /// The header fields; those in which the server repeats a secret of the call are sensitive.
    public var headerFields: HTTPFields { source.body.response.markedFields(of: source.body.call.plan) }

    /// The URL of the response: after redirects not that of the request.
    public var url: URL { source.body.response.url ?? source.body.call.plan.url }

    /// The first 100 elements that ``DropInvalidItems`` has left out so far.
    public var droppedItems: [DroppedItem] { source.droppedItems }

    /// The number of elements that ``DropInvalidItems`` has left out so far.
    public var droppedItemCount: Int { source.droppedItemCount }

    /// Returns the declared metadata of a type, as far as it has arrived.
    ///
    /// Values that stand before the list are there at once, others when the loop has ended. A value that contains the
    /// list has an empty one in it.
    ///
    /// - Parameter type: the type of the value.
    /// - Returns: the value; nil if it has not arrived yet, if it is optional and the response has none, or if no
    ///   ``Metadata`` clause declares it.
    public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
        source.metadata(type)
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(source) }

    /// An iterator over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let decoded: DecodedElements<Element>
        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            decoded = source.decoded
            self.source = source
        }

        /// Returns the next element; nil at the end of the list, when the rest of the body has been checked.
        ///
        /// - Throws: ``APIError/decoding(_:)`` for an element that cannot be decoded, for a body that is not valid, and
        ///   for metadata that is missing; ``APIError/status(_:)`` for a declared problem beside the list;
        ///   ``APIError/transport(_:)``, of the kind `bodyTooLarge` for an element beyond ``BodyLimits``;
        ///   ``APIError/timeout(_:)`` and ``APIError/cancelled(_:)``. The stream is then over.
        @inlinable
        public mutating func next() async throws(APIError) -> Element? {
            if let element = decoded.next() { return element }
            return try await decodeNext()
        }

        @usableFromInline
        func decodeNext() async throws(APIError) -> Element? { try await source.next() }
    }
}

extension ElementStream: CustomStringConvertible, CustomReflectable {
    /// The status and the type of the elements.
    public var description: String { "\(status), a stream of \(Element.self)" }

    /// The parts of the head, secrets redacted, and the number of dropped elements.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "headerFields": headerFields,
                "url": source.body.response.shownURL(of: source.body.call.plan), "dropped": droppedItemCount,
            ],
            displayStyle: .struct
        )
    }
}

extension Endpoint where Value: _ListValue, Value.Element: Decodable & Sendable {
    /// Sends the call and returns the elements of the list one by one, while the response arrives.
    ///
    /// ```swift
    /// for try await hit in try await shop.search("lamp").stream() { print(hit.name) }
    /// ```
    ///
    /// It returns when the list begins. ``Envelope``, ``Metadata``, ``Problem``, ``DropInvalidItems`` and the
    /// strategies of ``Decode`` hold as for ``send()``. ``BodyLimits`` limit each element and what is kept beside the
    /// list. Pages are not followed, and a list that is missing is an error, whatever ``Paginated`` says.
    ///
    /// The body is not kept by a cache, and no other call shares it. A ``Retry`` repeats the call until a head with a
    /// successful status has come.
    ///
    /// Only a `WaybillJSONDecoder` can decode a part of a document: another ``Decode``, an index from the end in the
    /// ``Envelope``, and the write of a batch are declaration errors, and nothing is sent.
    ///
    /// - Returns: the head of the response, and the elements to read.
    /// - Throws: ``APIError``; ``APIError/status(_:)`` for a failed status, and for a declared problem in place of the
    ///   list; ``APIError/decoding(_:)`` for a body without the list.
    public func stream() async throws(APIError) -> ElementStream<Value.Element> {
        ElementStream(try await ElementSource.open(planForCall(), with: client))
    }
}

extension Plan {
    /// Returns the decoder of a call whose list is decoded while it arrives.
    ///
    /// - Throws: ``APIError/request(_:)`` if the declaration allows no such decoding.
    func streamDecoder() throws(APIError) -> WaybillJSONDecoder {
        var errors: [DeclarationError] = []
        let decoder = decoder as? WaybillJSONDecoder
        if decoder == nil {
            let reason = "stream() decodes a list while it arrives, for which WaybillJSONDecoder is needed;"
            errors.reject(
                "Decode",
                "with: \(type(of: self.decoder))",
                because: reason + " declare strategies instead, or call send()"
            )
        }
        if let envelope = settings[Envelope.self], envelope.list.contains(where: \.isFromEnd) {
            errors.reject(
                "Envelope",
                envelope.list.pathDescription,
                because: "stream() cannot know an index from the end before the end; call send()"
            )
        }
        if write != nil {
            errors.reject(
                "stream",
                because: "the response to a batch is read as a whole; call send()"
            )
        }
        if let decoder, errors.isEmpty { return decoder }
        throw .request(APIError.RequestFailure(call: failedCall(), declarationErrors: errors))
    }
}

extension EnvelopeKey {
    /// Whether it counts the elements of an array from its end.
    var isFromEnd: Bool {
        if case .index(..<0) = self { true } else { false }
    }
}
