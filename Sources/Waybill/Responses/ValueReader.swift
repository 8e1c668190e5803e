import WaybillSystem

/// Reads a call's value from its reply, using the declared envelope and decoder.
package struct ValueReader<Value: Sendable>: Sendable {
    /// The response and the requested side values, in order.
    package struct Reading: Sendable {
        package let response: Response<Value>
        package let extras: [(any Sendable)?]
    }

    /// Decodes the value and the side values in one pass over the reply's body.
    package let read: @Sendable (Reply, Call.Plan, [Extraction.SideValue]) throws(APIError) -> Reading

    /// Whether the reader ignores the body, except for declared metadata.
    let ignoresBody: Bool

    package init(
        ignoresBody: Bool = false,
        _ read: @escaping @Sendable (Reply, Call.Plan, [Extraction.SideValue]) throws(APIError) -> Reading
    ) {
        self.read = read
        self.ignoresBody = ignoresBody
    }
}

extension ValueReader.Reading {
    /// Creates the result from a value and the values decoded along with it.
    package init(_ value: Value, of reply: Reply, _ extras: Reply.Extras) {
        response = Response(value: value, reply: reply, droppedItems: extras.dropped, metadata: extras.metadata)
        self.extras = extras.extras
    }
}

extension ValueReader where Value: Decodable {
    /// Returns a reader that decodes the value.
    ///
    /// A `Data` value is the body as received.
    package static func decoding() -> Self {
        Self { (reply, plan, extras) throws(APIError) in
            let envelope = plan.settings[Envelope.self] ?? .none
            if let value = try undecodedValue(of: reply, plan, envelope) {
                return Reading(value, of: reply, Reply.Extras(missing: extras))
            }
            let shape = Shape.of(Value.self)
            var extraction = Extraction(path: shape.isList ? envelope.list : envelope.item)
            extraction.keyedList = envelope.keyedList(in: Value.self)
            if !shape.isList { extraction.keyedItem = plan.keyedItem }
            extraction.dropsInvalidItems = plan.settings.dropsInvalidItems
            let missingList = shape.isList ? plan.missingList : .isError
            extraction.treatsMissingListAsEmpty = missingList.contains(.isEmpty)
            extraction.treatsValueAsOnlyItem = missingList.contains(.isOneItem)
            extraction.treatsMissingValueAsNil = shape.isOptional
            let (value, reading): (Value, Reply.Extras)
            do throws(APIError) {
                (value, reading) = try reply.extract(Value.self, extraction, extras: extras, plan: plan)
                if extraction.treatsMissingListAsEmpty, (value as? any Collection)?.isEmpty ?? false {
                    try reply.checkMissingList(at: extraction.path, Value.self, plan: plan)
                }
            } catch {
                let outcome = { InspectedResponse.Outcome.failed(at: error.decodingPath) }
                reply.inspect(Value.self, extraction, extras: extras, plan: plan, outcome: outcome())
                throw error
            }
            reply.inspect(
                Value.self,
                extraction,
                extras: extras,
                plan: plan,
                outcome: .decoded(droppedItems: reading.dropped.count)
            )
            return Reading(value, of: reply, reading)
        }
    }

    /// Returns a value that needs no decoder (an absent optional, bytes or text); nil if the value must be decoded.
    private static func undecodedValue(
        of reply: Reply,
        _ plan: Call.Plan,
        _ envelope: Envelope
    ) throws(APIError) -> Value? {
        if reply.body.isEmpty, let optional = Value.self as? any AbsentValue.Type { return optional.absent as? Value }
        if Value.self == Data.self || Value.self == Data?.self { return reply.body as? Value }
        guard Value.self == String.self || Value.self == String?.self, envelope.item.isEmpty else { return nil }
        // Casting a nil text would produce a nil value, even though the body is not text.
        guard let text = try BodyText.text(of: reply, plan) else { return nil }
        return text as? Value
    }
}

extension ValueReader where Value == Void {
    /// A reader that decodes only the declared metadata.
    package static var ignoring: Self {
        Self(ignoresBody: true) { (reply, plan, extras) throws(APIError) in
            let rules = plan.metadataRules
            guard !reply.body.isEmpty, let first = rules.first(where: \.isRequired) ?? rules.first else {
                return Reading((), of: reply, Reply.Extras(missing: extras))
            }
            do throws(APIError) {
                let (_, reading) = try reply.extract(
                    IgnoredValue.self,
                    Extraction(),
                    extras: extras,
                    plan: plan,
                    typeName: "\(first.type)"
                )
                return Reading((), of: reply, reading)
            } catch {
                // Unreadable optional metadata must not fail a call that ignores its body.
                guard !rules.contains(where: \.isRequired) else { throw error }
                return Reading((), of: reply, Reply.Extras(missing: extras))
            }
        }
    }
}

extension Reply {
    /// The values decoded along with the main value.
    package struct Extras {
        package let extras: [(any Sendable)?]
        package let dropped: [WaybillJSONDecoder.DroppedItem]
        package let metadata: [ObjectIdentifier: any Sendable]
    }

    /// Decodes a value, the declared metadata and the side values in one pass over the body.
    package func extract<Value: Decodable>(
        _ type: Value.Type,
        _ extraction: Extraction,
        extras: [Extraction.SideValue],
        plan: Call.Plan,
        typeName: String? = nil
    ) throws(APIError) -> (Value, Extras) {
        let rules = plan.metadataRules
        var extraction = extraction
        extraction.extras = extras + rules
        do {
            guard !body.isEmpty else { throw UnreadableBody(emptyWithAdvice: plan.write?.adviceForEmptyBody) }
            let result = try extraction.decode(Value.self, from: body, with: plan.decoder)
            var metadata: [ObjectIdentifier: any Sendable] = [:]
            for (rule, value) in zip(rules, result.extras.dropFirst(extras.count)) {
                // Rules are ordered from the innermost scope outward.
                if let value, metadata[rule.id] == nil { metadata[rule.id] = value }
            }
            return (
                result.value,
                Extras(
                    extras: Array(result.extras.prefix(extras.count)),
                    dropped: redacted(result.dropped, plan),
                    metadata: metadata
                )
            )
        } catch let failure as ExtraFailure {
            throw .decoding(self.failure(failure.underlying, decoding: failure.typeName, plan: plan))
        } catch {
            let name = typeName ?? "\(Value.self)"
            let advice = missingListAdvice(error, decoding: Value.self, extraction, plan: plan)
            throw .decoding(failure(error, decoding: name, plan: plan, missingListAdvice: advice))
        }
    }

    /// Returns the dropped items with secrets removed from their errors.
    private func redacted(_ items: [WaybillJSONDecoder.DroppedItem], _ plan: Call.Plan) -> [WaybillJSONDecoder
        .DroppedItem]
    {
        guard !items.isEmpty else { return items }
        var redaction = ErrorRedaction(ofKeys: plan.secretNames.names, in: body, from: secrets(of: plan))
        return items.map { WaybillJSONDecoder.DroppedItem(index: $0.index, error: redaction.redacting($0.error)) }
    }
}

extension Reply.Extras {
    /// Creates extras without metadata, with nil for each side value.
    package init(missing extras: [Extraction.SideValue], dropped: [WaybillJSONDecoder.DroppedItem] = []) {
        self.init(extras: extras.map { _ in nil }, dropped: dropped, metadata: [:])
    }
}

extension Call.Plan {
    /// The call's decoder.
    package var decoder: any ResponseDecoder { settings[Decode.self]?.decoder ?? JSONDefaults.responseDecoder }
}

extension Call.Plan {
    /// The values accepted in place of a list; none for a batch, whose response must be a list.
    package var missingList: Envelope.MissingList { write == nil ? settings.missingList : .isError }

    /// The decoder for problems.
    ///
    /// It replaces lone surrogates, so that a truncated string does not hide the problem.
    var problemDecoder: any ResponseDecoder {
        (decoder as? WaybillJSONDecoder)?.replacingLoneSurrogates ?? decoder
    }
}

extension APIError {
    /// The coding path of the value that failed to decode; empty if the error has none.
    fileprivate var decodingPath: [EnvelopeKey] {
        guard case .decoding(let failure) = self else { return [] }
        let context: DecodingError.Context? =
            switch failure.decodingError {
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?,
                .keyNotFound(_, let context)?:
                context
            case nil: nil
            @unknown default: nil
            }
        return (context?.codingPath ?? []).map { key in
            key.intValue.map(EnvelopeKey.index) ?? .key(key.stringValue)
        }
    }
}
