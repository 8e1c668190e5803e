import WaybillJSON

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
            errors.append(
                DeclarationError(
                    clause: "Decode",
                    value: "with: \(type(of: self.decoder))",
                    reason: reason + " declare strategies instead, or call send()"
                )
            )
        }
        if let envelope = settings[Envelope.self], envelope.list.contains(where: \.isFromEnd) {
            errors.append(
                DeclarationError(
                    clause: "Envelope",
                    value: envelope.list.pathDescription,
                    reason: "stream() cannot know an index from the end before the end; call send()"
                )
            )
        }
        if write != nil {
            errors.append(
                DeclarationError(
                    clause: "stream",
                    value: "",
                    reason: "the response to a batch is read as a whole; call send()"
                )
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
