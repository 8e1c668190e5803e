import WaybillJSON
import WaybillSystem

extension Reply {
    /// Returns advice for a body that lacks a key of the declared ``Envelope``: the envelopes that match the body.
    ///
    /// - Parameters:
    ///   - error: the decoder's error.
    ///   - typeName: the name of the decoded type.
    ///   - plan: the plan of the call.
    /// - Returns: the advice; nil if the error has a different cause.
    func envelopeAdvice(_ error: any Error, decoding typeName: String, plan: Plan) -> String? {
        guard case DecodingError.keyNotFound(let key, let context) = error,
            let envelope = plan.settings[Envelope.self]
        else { return nil }
        let isList = typeName.hasPrefix("Array<")
        let declared = isList ? envelope.list : envelope.item
        let place = context.codingPath.count
        // A key with a dot gets its own advice elsewhere.
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
