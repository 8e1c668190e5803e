import Foundation

extension ValueReader where Value: Decodable {
    /// Decodes the value; where ``MergeAnswers`` is declared, from the answer laid over what was sent.
    ///
    /// - Parameter state: what the answer is laid over, where that is not the body that was sent.
    static func merging(over state: JSONValue? = nil) -> Self {
        let plain = Self.decoding()
        return Self { (reply, plan, extras) throws(APIError) in
            guard plan.settings[MergeAnswers.self] != nil else { return try plain.read(reply, plan, extras) }
            let sent: JSONValue
            if let state { sent = state } else { sent = try plan.sentDocument(for: "\(Value.self)", reply) }
            let envelope = plan.settings[Envelope.self] ?? .none
            var merged = sent
            var beside = Reply.Beside(extras: extras.map { _ in nil }, dropped: [], metadata: [:])
            if !reply.body.isEmpty {
                let path = Shape.isList(Value.self) ? envelope.list : envelope.item
                let answer: JSONValue
                (answer, beside) = try reply.extract(JSONValue.self, Extraction(path: path), extras, plan)
                merged = answer.laid(over: sent)
            }
            do {
                let value = try plan.decoder.decode(Value.self, from: JSONDefaults.encoder.encode(merged))
                return Reading(
                    response: Response(value: value, reply: reply, metadata: beside.metadata),
                    extras: beside.extras
                )
            } catch {
                throw .decoding(reply.failure(error, "\(Value.self)", plan))
            }
        }
    }
}

extension JSONValue {
    /// An answer laid over what was sent: objects field by field, lists of equal length item by item.
    fileprivate func laid(over sent: JSONValue) -> JSONValue {
        if let answers = arrayValue, let items = sent.arrayValue, answers.count == items.count {
            return .array(zip(answers, items).map { $0.merging(over: $1) })
        }
        return isNull ? sent : merging(over: sent)
    }
}

extension Reply {
    /// The reply with each answer of a batch laid over what was sent for it, as a list that is the whole body.
    ///
    /// Metadata that was declared is not in it any more.
    func merged(
        _ answers: JSONValue,
        at path: [EnvelopeKey],
        plan: Plan,
        typeName: String
    ) throws(APIError) -> Reply {
        let sent = try plan.sentDocument(for: typeName, self)
        guard let items = answers.arrayValue, let drafts = sent.arrayValue, items.count == drafts.count else {
            return Reply(status: status, headerFields: headerFields, url: url, body: answers.data)
        }
        let merged = zip(items, drafts).map { $0.laid(over: $1, at: path[...]) }
        return Reply(status: status, headerFields: headerFields, url: url, body: JSONValue.array(merged).data)
    }
}

extension JSONValue {
    /// The value below a path laid over what was sent; without one there, what it is.
    fileprivate func laid(over sent: JSONValue, at path: ArraySlice<EnvelopeKey>) -> JSONValue {
        guard let first = path.first else { return laid(over: sent) }
        guard case .key(let key) = first, var members = objectValue, let member = members[key] else { return self }
        members[key] = member.laid(over: sent, at: path.dropFirst())
        return .object(members)
    }

    fileprivate var data: Data { Data(description.utf8) }
}

extension Plan {
    /// The JSON that was sent, without the keys around it.
    fileprivate func sentDocument(for typeName: String, _ reply: Reply) throws(APIError) -> JSONValue {
        do {
            let document = try JSONDefaults.decoder.decode(JSONValue.self, from: body?.bytes ?? Data())
            return bodyKeys.reduce(document) { $0[$1] ?? $0 }
        } catch {
            throw .decoding(reply.failure(error, typeName, self))
        }
    }
}
