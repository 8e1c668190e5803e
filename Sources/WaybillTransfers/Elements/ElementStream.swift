import Waybill
import WaybillJSON
import WaybillSystem

/// The elements of a list, decoded as the response arrives.
///
/// ```swift
/// let products = try await shop.products.stream()
/// for try await product in products { print(product.name) }
/// ```
///
/// Each element is returned as soon as its last byte has arrived. The stream keeps in memory a chunk of the body, the
/// elements decoded from up to 64 KiB of it (or a single longer element), and, if `Metadata` is declared, the
/// document around the list. `BodyLimits` apply to each element and to the document around the list, so a list can be
/// larger than memory.
///
/// A slow reader applies back-pressure. Cancelling the task, or leaving the loop without keeping the stream, closes the
/// connection. The list can be read only once, by one task; a second loop continues where the first stopped.
///
/// Iteration ends without an error only if the whole body is complete and valid. If the body ends early, is invalid or
/// lacks the list, iteration throws after returning the elements before the error.
public struct ElementStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let source: ElementSource<Element>

    init(_ source: ElementSource<Element>) { self.source = source }

    /// The status of the response.
    public var status: HTTPResponse.Status { source.body.response.status }

    /// The header fields; a field that repeats one of the call's secrets is marked as sensitive.
    public var headerFields: HTTPFields { source.body.response.markedFields(of: source.body.call.plan) }

    /// The URL of the response, which differs from the request's after a redirect.
    public var url: URL { source.body.response.url ?? source.body.call.plan.url }

    /// The first 100 elements that `DropInvalidItems` has dropped so far.
    public var droppedItems: [WaybillJSONDecoder.DroppedItem] { source.dropped.first }

    /// The number of elements that `DropInvalidItems` has dropped so far.
    public var droppedItemCount: Int { source.dropped.count }

    /// Returns the declared metadata of the given type, if it has arrived.
    ///
    /// Metadata that precedes the list is available immediately, other metadata only after iteration has ended. In a
    /// value that contains the list, the list is empty.
    ///
    /// - Parameter type: the type of the metadata.
    /// - Returns: the metadata; nil if it has not arrived yet, if it is optional and missing in the response, or if no
    ///   `Metadata` clause declares it.
    public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
        source.metadata(type)
    }

    /// Returns an iterator that continues at the current position in the list.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(source) }

    /// An iterator over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let decoded: DecodedElements<Element>
        private let source: ElementSource<Element>

        init(_ source: ElementSource<Element>) {
            decoded = source.decoded
            self.source = source
        }

        /// Returns the next element; nil at the end of the list, after the rest of the body has been checked.
        ///
        /// An error ends the stream.
        ///
        /// - Returns: the element; nil at the end of the list.
        /// - Throws: `APIError.decoding` for an element that cannot be decoded, an invalid body or missing
        ///   metadata; `APIError.status` for a declared problem; `APIError.transport`, with the kind
        ///   `bodyTooLarge` for an element that exceeds the `BodyLimits`; `APIError.timeout` or
        ///   `APIError.cancelled`.
        @inlinable
        public mutating func next() async throws(APIError) -> Element? {
            if let element = decoded.next() { return element }
            return try await decodeNext()
        }

        @usableFromInline
        func decodeNext() async throws(APIError) -> Element? { try await source.next() }
    }
}

extension ElementStream: CustomStringConvertible, PartlyShown {
    /// The status and the type of the elements.
    public var description: String { "\(status), a stream of \(Element.self)" }

    /// The head of the response, with secrets redacted, and the number of dropped elements.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "status": status, "headerFields": headerFields,
            "url": source.body.response.shownURL(of: source.body.call.plan), "dropped": droppedItemCount,
        ]
    }
}

extension Endpoint where Value: _ListValue, Value.Element: Decodable & Sendable {
    /// Sends the call and returns the elements of the list one by one, as the response arrives.
    ///
    /// ```swift
    /// for try await hit in try await shop.search("lamp").stream() { print(hit.name) }
    /// ```
    ///
    /// The call returns when the list begins. `Envelope`, `Metadata`, `Problem`, `DropInvalidItems` and the strategies
    /// of `Decode` apply as for `send()`. `BodyLimits` apply to each element and to the document around the list. Only
    /// one page is fetched. A missing list, or an item in place of the list, is an error even if `Envelope` or
    /// `Paginated` declares otherwise.
    ///
    /// The body is neither cached nor shared with other calls. `Retry` applies only until a response with a success
    /// status arrives.
    ///
    /// Streaming requires a `WaybillJSONDecoder`. Another decoder in `Decode`, an index from the end in `Envelope`,
    /// and streaming the response to a batch are declaration errors, and nothing is sent.
    ///
    /// - Returns: the head of the response, and the elements to read.
    /// - Throws: `APIError`; `APIError.status` for a failed status or a declared problem;
    ///   `APIError.decoding` if the body does not contain the list.
    public func stream() async throws(APIError) -> ElementStream<Value.Element> {
        ElementStream(try await ElementSource.open(planForCall(), with: client))
    }
}

extension Call.Plan {
    /// Returns the decoder for streaming the call's list.
    ///
    /// - Throws: `APIError.request` if the declaration does not allow streaming.
    func streamDecoder() throws(APIError) -> WaybillJSONDecoder {
        var errors: [Scope.DeclarationError] = []
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
    /// Whether the key is an index from the end of an array.
    var isFromEnd: Bool {
        if case .index(..<0) = self { true } else { false }
    }
}
