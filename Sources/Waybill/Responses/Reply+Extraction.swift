import WaybillJSON
import WaybillSystem

extension Reply {
    /// The values decoded along with the main value.
    package struct Extras {
        package let extras: [(any Sendable)?]
        package let dropped: [DroppedItem]
        package let metadata: [ObjectIdentifier: any Sendable]
    }

    /// Decodes a value, the declared metadata and side values in one pass over the body.
    package func extract<Value: Decodable>(
        _ type: Value.Type,
        _ extraction: Extraction,
        extras: [Extraction.SideValue],
        plan: Plan,
        typeName: String? = nil
    ) throws(APIError) -> (Value, Extras) {
        let rules = plan.metadataRules
        var extraction = extraction
        extraction.extras = extras + rules.map(\.extra)
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
            throw .decoding(failure(error, decoding: typeName ?? "\(Value.self)", plan: plan))
        }
    }

    /// Returns the dropped items with secrets removed from their errors.
    private func redacted(_ items: [DroppedItem], _ plan: Plan) -> [DroppedItem] {
        guard !items.isEmpty else { return items }
        var redaction = ErrorRedaction(ofKeys: plan.secretNames.names, in: body, from: secrets(of: plan))
        return items.map { DroppedItem(index: $0.index, error: redaction.redacting($0.error)) }
    }

    /// Returns the failure of a body that does not match the declaration.
    ///
    /// - Parameters:
    ///   - error: the decoder's error.
    ///   - typeName: the name of the decoded type.
    ///   - plan: the plan of the call.
    ///   - merged: the response merged over the request, if that was decoded.
    ///   - advice: how to fix the declaration; nil to derive it from the error.
    /// - Returns: the failure.
    package func failure(
        _ error: any Error,
        decoding typeName: String,
        plan: Plan,
        merged: Data? = nil,
        advice: String? = nil
    ) -> APIError.DecodingFailure {
        let form = plan.settings[Decode.StreamFormat.self]?.form ?? Decode.StreamFormat.Form(headerFields[.contentType])
        let isSequence = form.sequence != nil && typeName.hasPrefix("Array<")
        return APIError.DecodingFailure(
            call: call(of: plan),
            status: status,
            headerFields: headerFields,
            typeName: typeName,
            underlying: error,
            body: unmerged ?? body,
            secretNames: plan.secretNames,
            merged: unmerged == nil ? merged : body,
            advice: advice
                ?? (isSequence ? "a body of \(Decode.StreamFormat(form).summary) is read with stream()" : nil)
                ?? bareListAdvice(error, decoding: typeName, plan: plan)
                ?? envelopeAdvice(error, decoding: typeName, plan: plan)
        )
    }

    /// Returns advice for a list without its declared envelope; nil if the error has a different cause.
    private func bareListAdvice(_ error: any Error, decoding typeName: String, plan: Plan) -> String? {
        guard typeName.hasPrefix("Array<"), case DecodingError.typeMismatch(_, let context) = error,
            context.codingPath.isEmpty, body.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[")
        else { return nil }
        return plan.settings[Paginated.self] == nil
            ? "the list has no envelope; declare Envelope.none"
            : "the list has no envelope; if the server wraps pages only, call page(), or list() with Envelope.none"
    }
}

extension Reply.Extras {
    /// Creates empty extras, with nil for each side value.
    package init(missing extras: [Extraction.SideValue]) {
        self.init(extras: extras.map { _ in nil }, dropped: [], metadata: [:])
    }
}

extension Plan {
    /// The decoder of the call.
    package var decoder: any ResponseDecoder { settings[Decode.self]?.decoder ?? JSONDefaults.responseDecoder }
}

extension Plan {
    /// The decoder for problems, which replaces lone surrogates so that a truncated string does not hide the problem.
    var problemDecoder: any ResponseDecoder {
        (decoder as? WaybillJSONDecoder)?.replacingLoneSurrogates ?? decoder
    }
}

/// The error for a body that is empty or has an unexpected format.
package struct UnreadableBody: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Creates the error for an empty body.
    ///
    /// - Parameter advice: how to fix the declaration; nil for the general advice.
    package init(emptyWithAdvice advice: String?) {
        self.init("the body is empty; \(advice ?? "declare `Void` or an optional where that is expected")")
    }
}
