import WaybillSystem

extension ValueReader where Value: Decodable {
    /// Returns a reader that merges the response over the sent entity if ``WriteResult`` declares that.
    ///
    /// - Parameters:
    ///   - state: the state to merge the response over; nil to use the request body.
    ///   - count: the number of items sent; nil for a single item.
    /// - Returns: the reader.
    static func merging(over state: JSONValue? = nil, batchOf count: Int? = nil) -> Self {
        let plain = Self.decoding()
        return Self { (reply, plan, extras) throws(APIError) in
            guard plan.buildsEntityFromRequest(after: reply) else { return try plain.read(reply, plan, extras) }
            if reply.body.isEmpty, state == nil, let value = plan.formEntity?.value as? Value {
                return Reading(value, of: reply, Reply.Extras(missing: extras))
            }
            let sent: JSONValue
            if let state { sent = state } else { sent = try plan.sentDocument(for: "\(Value.self)", reply) }
            let envelope = plan.settings[Envelope.self] ?? .none
            var merged = sent
            var extrasOfResponse = Reply.Extras(missing: extras)
            if !reply.body.isEmpty {
                let path = Shape.isList(Value.self) ? envelope.list : envelope.item
                let response: JSONValue
                (response, extrasOfResponse) = try reply.extract(
                    JSONValue.self,
                    Extraction(path: path),
                    extras: extras,
                    plan: plan
                )
                reply.inspect(Value.self, Extraction(path: path), extras: extras, plan: plan, outcome: .merged)
                if let count, let items = response.arrayValue {
                    try reply.checkCount(items.count, ofBatch: count, plan, typeName: "\(Value.self)")
                }
                merged = response.merged(over: sent)
            }
            if let item = plan.keyedItem, var members = merged.objectValue, members[item.key] == nil {
                members[item.key] = item.id
                merged = .object(members)
            }
            let document = Data(merged.description.utf8)
            do {
                let value = try plan.decoder.decode(Value.self, from: document)
                return Reading(value, of: reply, extrasOfResponse)
            } catch {
                throw .decoding(reply.failure(error, decoding: "\(Value.self)", plan: plan, merged: document))
            }
        }
    }
}

extension JSONValue {
    /// Returns the response merged over the sent value: objects recursively, and lists of equal length item by item.
    fileprivate func merged(over sent: JSONValue) -> JSONValue {
        if let responses = arrayValue, let items = sent.arrayValue, responses.count == items.count {
            return .array(zip(responses, items).map { $0.merging(over: $1) })
        }
        return isNull ? sent : merging(over: sent)
    }
}

extension Reply {
    /// Returns a reply whose body lists the successful items, each merged over its draft.
    ///
    /// The body no longer contains the declared metadata.
    func merged(
        _ responses: JSONValue,
        at path: [EnvelopeKey],
        except failed: Set<Int>,
        plan: Call.Plan,
        typeName: String
    ) throws(APIError) -> Reply {
        let sent = try plan.sentDocument(for: typeName, self)
        guard let items = responses.arrayValue else { return replacingBody(with: responses) }
        let drafts = sent.arrayValue.flatMap { $0.count == items.count ? $0 : nil }
        let merged = items.enumerated().filter { !failed.contains($0.offset) }.map { index, item in
            drafts.map { item.merged(over: $0[index], at: path[...]) } ?? item
        }
        return replacingBody(with: .array(merged))
    }

    /// Returns the reply with the sent items as its body, for a server that responds to a batch without a body.
    func repeatingRequest(at path: [EnvelopeKey], plan: Call.Plan, typeName: String) throws(APIError) -> Reply {
        let sent = try plan.sentDocument(for: typeName, self)
        return replacingBody(with: .array((sent.arrayValue ?? [sent]).map { $0.wrapped(at: path[...]) }))
    }

    /// Returns a copy of the reply with a document as its body.
    func replacingBody(with document: JSONValue) -> Reply {
        var reply = self
        (reply.body, reply.unmerged) = (Data(document.description.utf8), body)
        return reply
    }
}

extension JSONValue {
    /// Returns the response with the value at a path merged over the sent value; if the value is missing, the sent one
    /// is inserted.
    fileprivate func merged(over sent: JSONValue, at path: ArraySlice<EnvelopeKey>) -> JSONValue {
        guard let first = path.first else { return merged(over: sent) }
        guard case .key(let key) = first, var members = isNull ? [:] : objectValue else { return self }
        members[key] = (members[key] ?? .null).merged(over: sent, at: path.dropFirst())
        return .object(members)
    }

    /// Returns the value nested in objects under the keys of a path.
    fileprivate func wrapped(at path: ArraySlice<EnvelopeKey>) -> JSONValue {
        guard case .key(let key) = path.first else { return self }
        return .object([key: wrapped(at: path.dropFirst())])
    }
}

extension Call.Plan {
    /// Whether ``WriteResult`` declares that the entity is built from the request body.
    fileprivate func buildsEntityFromRequest(after reply: Reply) -> Bool {
        switch settings[WriteResult.self]?.source {
        case .merged: true
        case .sent: reply.body.isEmpty
        case .response, .reread, nil: false
        }
    }

    /// Whether the received items of a batch are merged over the sent ones.
    var mergesItems: Bool { settings[WriteResult.self]?.source == .merged }

    /// Whether an empty response body means that the server stored the request body.
    var takesSentForEmptyBody: Bool {
        switch settings[WriteResult.self]?.source {
        case .merged, .sent: true
        case .response, .reread, nil: false
        }
    }

    /// Returns the sent JSON without its envelope.
    fileprivate func sentDocument(for typeName: String, _ reply: Reply) throws(APIError) -> JSONValue {
        do {
            if let formEntity { return try formEntity.document() }
            let document = try JSONDefaults.decoder.decode(JSONValue.self, from: body?.bytes ?? Data())
            return bodyKeys.reduce(document) { $0[$1] ?? $0 }
        } catch {
            throw .decoding(reply.failure(UnmergeableRequest(), decoding: typeName, plan: self))
        }
    }
}
