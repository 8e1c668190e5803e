import WaybillJSON
import WaybillSystem

extension Reply {
    /// Returns the failure for a body that does not match the declaration.
    ///
    /// - Parameters:
    ///   - error: the decoder's error.
    ///   - typeName: the name of the decoded type.
    ///   - plan: the call's plan.
    ///   - merged: the response merged over the request, if that document was decoded.
    ///   - advice: instructions to fix the declaration; nil to derive them from the error.
    ///   - missingListAdvice: instructions to declare a `missingList`, used if no other advice applies.
    /// - Returns: the failure.
    package func failure(
        _ error: any Error,
        decoding typeName: String,
        plan: Call.Plan,
        merged: Data? = nil,
        advice: String? = nil,
        missingListAdvice: String? = nil
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
                ?? missingListAdvice
        )
    }

    /// Returns advice for a list that lacks its declared envelope; nil if the error has another cause.
    private func bareListAdvice(_ error: any Error, decoding typeName: String, plan: Call.Plan) -> String? {
        guard typeName.hasPrefix("Array<"), case DecodingError.typeMismatch(_, let context) = error,
            context.codingPath.isEmpty, body.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[")
        else { return nil }
        return plan.settings[Paginated.self]?.scheme == nil
            ? "the list has no envelope; declare Envelope.none"
            : "the list has no envelope; if the server wraps pages only, call page(), or list() with Envelope.none"
    }
}

extension Reply {
    /// Returns advice for a body that lacks a key of the declared ``Envelope``: the declarations that match the body.
    ///
    /// - Parameters:
    ///   - error: the decoder's error.
    ///   - typeName: the name of the decoded type.
    ///   - plan: the call's plan.
    /// - Returns: the advice; nil if the error has another cause.
    func envelopeAdvice(_ error: any Error, decoding typeName: String, plan: Call.Plan) -> String? {
        guard case DecodingError.keyNotFound(let key, let context) = error,
            let envelope = plan.settings[Envelope.self]
        else { return nil }
        let isList = typeName.hasPrefix("Array<")
        let declared = isList ? envelope.list : envelope.item
        let place = context.codingPath.count
        // Other code gives advice for a key that contains a dot.
        guard declared.indices.contains(place), case .key(let name) = declared[place], name == key.stringValue,
            !name.contains("."), zip(declared, context.codingPath).allSatisfy({ $0.isStep($1) })
        else { return nil }
        let text = JSONText(body)
        let found =
            isList
            ? text.arrayPaths(inObjectAt: context.codingPath)
            : text.objectKeys(inObjectAt: context.codingPath).prefix(4).map { [$0] }
        let envelopes = found.map { path in
            "Envelope(\((Array(declared[..<place]) + path.map { EnvelopeKey.key($0) }).arguments))"
        }
        let others = envelopes.isEmpty ? [] : [envelopes.joined(separator: " or ")]
        let none = isList || place > 0 ? [] : ["Envelope.none for a body without an envelope"]
        let ways = (others + none).joined(separator: ", or ")
        return ways.isEmpty ? nil : "no key of the body is the \"\(name)\" of Envelope; declare \(ways)"
    }
}

extension EnvelopeKey {
    /// Whether the envelope key equals a coding key.
    fileprivate func isStep(_ key: any CodingKey) -> Bool {
        switch self {
        case .key(let name): name == key.stringValue
        case .index(let index): index == key.intValue
        }
    }
}

/// The error for a body that is empty or has an unexpected format.
package struct UnreadableBody: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Creates the error for an empty body.
    ///
    /// - Parameter advice: instructions to fix the declaration; nil for general advice.
    package init(emptyWithAdvice advice: String?) {
        self.init("the body is empty; \(advice ?? "declare `Void` or an optional where that is expected")")
    }
}
