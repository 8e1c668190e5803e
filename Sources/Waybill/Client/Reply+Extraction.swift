import Foundation
import WaybillJSON

extension Reply {
    /// What was extracted beside a value.
    package struct Beside {
        package let extras: [(any Sendable)?]
        package let dropped: [DroppedItem]
        package let metadata: [ObjectIdentifier: any Sendable]
    }

    /// Decodes a value with the declared metadata and with extras, in one pass over the body.
    package func extract<Value: Decodable>(
        _ type: Value.Type,
        _ extraction: Extraction,
        _ extras: [Extraction.Extra],
        _ plan: Plan,
        typeName: @autoclosure () -> String = "\(Value.self)"
    ) throws(APIError) -> (Value, Beside) {
        let rules = plan.settings[MetadataRules.self]?.rules ?? []
        var extraction = extraction
        extraction.extras = extras + rules.map(\.extra)
        do {
            guard !body.isEmpty else { throw EmptyBody() }
            let result = try extraction.decode(Value.self, from: body, with: plan.decoder)
            var metadata: [ObjectIdentifier: any Sendable] = [:]
            for (rule, value) in zip(rules, result.extras.dropFirst(extras.count)) {
                // The nearest scope's comes first.
                if let value, metadata[rule.type] == nil { metadata[rule.type] = value }
            }
            return (
                result.value,
                Beside(
                    extras: Array(result.extras.prefix(extras.count)),
                    dropped: redacted(result.dropped, plan),
                    metadata: metadata
                )
            )
        } catch let failure as ExtraFailure {
            throw .decoding(self.failure(failure.underlying, failure.typeName, plan))
        } catch {
            throw .decoding(failure(error, typeName(), plan))
        }
    }

    /// Dropped items whose errors, when somebody prints them, do not show secrets.
    private func redacted(_ items: [DroppedItem], _ plan: Plan) -> [DroppedItem] {
        guard !items.isEmpty else { return items }
        var redaction = ErrorRedaction(ofKeys: plan.secretNames.names, in: body, from: secrets(of: plan))
        return items.map { DroppedItem(index: $0.index, error: redaction.redacting($0.error)) }
    }

    /// The failure of a body that is not what was declared.
    package func failure(_ error: any Error, _ typeName: String, _ plan: Plan) -> DecodingFailure {
        DecodingFailure(
            call: call(of: plan),
            status: status,
            headerFields: headerFields,
            typeName: typeName,
            underlying: error,
            body: body,
            secretNames: plan.secretNames
        )
    }
}

extension Plan {
    /// The decoder of the call.
    package var decoder: any ResponseDecoder { settings[Decode.self]?.decoder ?? JSONDefaults.responseDecoder }
}

/// There is nothing to decode.
package struct EmptyBody: Error, CustomStringConvertible {
    package var description: String { "the body is empty" }

    package init() {}
}
