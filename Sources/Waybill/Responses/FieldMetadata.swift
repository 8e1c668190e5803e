import WaybillJSON
import WaybillSystem

extension Reply {
    /// Returns the metadata declared for header fields, keyed by type.
    ///
    /// - Parameter plan: the call's plan.
    /// - Returns: the values; if two have the same type, the inner scope's value wins.
    /// - Throws: ``APIError/decoding(_:)`` if a required field is missing or a field fails to decode.
    package func fieldMetadata(of plan: Call.Plan) throws(APIError) -> [ObjectIdentifier: any Sendable] {
        var metadata: [ObjectIdentifier: any Sendable] = [:]
        for rule in plan.settings[MetadataRules.self]?.fieldValues ?? [] {
            let id = ObjectIdentifier(rule.type)
            guard metadata[id] == nil, let name = HTTPField.Name(rule.name) else { continue }
            guard let text = headerFields[name] else {
                guard rule.isRequired else { continue }
                throw failure(
                    rule,
                    "the response has no field \(rule.name); if a response may omit it, declare"
                        + " Metadata(\(rule.type)?.self, field: \"\(rule.name)\")",
                    plan
                )
            }
            do {
                metadata[id] = try rule.decode(text, plan.decoder)
            } catch {
                throw failure(rule, reason(error, rule, isSecret: plan.secretNames.contains(rule.name)), plan)
            }
        }
        return metadata
    }

    private func failure(_ rule: Metadata.FieldValue, _ reason: String, _ plan: Call.Plan) -> APIError {
        let error = UnreadableField(name: rule.name, typeName: "\(rule.type)", description: reason)
        return .decoding(failure(error, decoding: "\(rule.type)", plan: plan))
    }

    /// Returns the reason that a field failed to decode, omitting a secret value.
    private func reason(_ error: any Error, _ rule: Metadata.FieldValue, isSecret: Bool) -> String {
        if isSecret { return "the value of \(rule.name), which is secret, is not one of \(rule.type)" }
        let reason = (error as? DecodingError).flatMap(WaybillJSONDecoder.Diagnosis.init)?.summary ?? "\(error)"
        return "\(rule.name): \(reason)"
    }
}

/// The error for a header field that is missing or fails to decode.
private struct UnreadableField: UnusableResponse {
    let name: String
    let typeName: String
    let description: String

    var consequence: String { "its field \(name) does not decode as \(typeName)" }
}

extension ValueReader {
    /// Reads a call's value, the side values, and the metadata declared for header fields.
    package func read(
        _ reply: Reply,
        of plan: Call.Plan,
        _ extras: [Extraction.SideValue] = []
    ) throws(APIError) -> Reading {
        let reading = try read(reply, plan, extras)
        guard plan.settings[MetadataRules.self]?.fieldValues.isEmpty == false else { return reading }
        let metadata = try reply.fieldMetadata(of: plan)
        return Reading(response: reading.response.adding(metadata), extras: reading.extras)
    }
}
