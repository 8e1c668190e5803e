import WaybillSystem

extension ValueReader {
    /// Returns a reader that decodes the items of a batch; if ``WriteResult/ItemProblem`` is declared, any failed item
    /// fails the batch.
    ///
    /// - Parameters:
    ///   - type: the type of the items.
    ///   - count: the number of items sent.
    /// - Returns: the reader, which throws if the response contains a different number of items.
    static func batch<Element: Decodable & Sendable>(of type: Element.Type = Element.self, count: Int) -> Self
    where Value == [Element] {
        let plain = Self.merging(batchOf: count)
        let outcomes = ValueReader<[Result<Element, APIError.ItemsFailure.Item>]>.outcomes(count: count)
        return Self { (reply, plan, extras) throws(APIError) in
            guard plan.settings[WriteResult.ItemProblem.self]?.rule != nil || reply.isOneObject(ofBatch: count, plan)
            else {
                let reading = try plain.read(reply, plan, extras)
                let response = reading.response
                try reply.checkCount(
                    response.value.count + response.droppedItems.count,
                    ofBatch: count,
                    plan,
                    Value.self
                )
                return reading
            }
            let reading: ValueReader<[Result<Element, APIError.ItemsFailure.Item>]>.Reading
            do throws(APIError) {
                reading = try outcomes.read(reply, plan, extras)
            } catch {
                // A rejected item may not decode as an entity; the batch's problems are then the more useful error.
                throw reply.itemsFailure(ofBatch: count, plan) ?? error
            }
            let response = try reading.response.map { (results) throws(APIError) in
                try items(of: results, in: reply, plan)
            }
            return Reading(response: response, extras: reading.extras)
        }
    }

    /// Returns a reader that decodes the outcome of each item in a batch: a value or a problem.
    ///
    /// - Parameters:
    ///   - type: the type of the items.
    ///   - count: the number of items sent.
    /// - Returns: the reader.
    package static func outcomes<Element: Decodable & Sendable>(
        of type: Element.Type = Element.self,
        count: Int
    ) -> ValueReader<[Result<Element, APIError.ItemsFailure.Item>]>
    where Value == [Result<Element, APIError.ItemsFailure.Item>] {
        ValueReader { (reply, plan, extras) throws(APIError) in
            let received = reply
            let batch = try reply.batch(of: count, plan, typeName: "[\(Element.self)]")
            do throws(APIError) {
                let (outcomes, beside) = try batch.reply.items(
                    Element.self,
                    batch.extraction,
                    beside: received,
                    extras: extras,
                    plan
                )
                let results = results(of: batch.withProblems(outcomes))
                try received.checkCount(results.count, ofBatch: count, plan, [Element].self)
                return .init(results, of: received, beside)
            } catch {
                // If the whole batch was rejected, even items without a problem may not decode as entities.
                guard !HTTPResponse.StatusSet.success.contains(received.status) else { throw error }
                throw received.itemsFailure(ofBatch: count, plan) ?? error
            }
        }
    }
}

extension ValueReader where Value == Void {
    /// Returns a reader that decodes only the problems of a batch, and throws ``APIError/items(_:)`` if there are any.
    static func batchIgnoring(count: Int) -> Self {
        let plain = Self.ignoring
        return Self { (reply, plan, extras) throws(APIError) in
            guard plan.settings[WriteResult.ItemProblem.self]?.rule != nil, !reply.body.isEmpty else {
                return try plain.read(reply, plan, extras)
            }
            let (outcomes, beside) = try reply.problems(ofBatch: count, extras: extras, plan)
            if HTTPResponse.StatusSet.success.contains(reply.status) {
                try reply.checkCount(outcomes.count, ofBatch: count, plan, Value.self)
            }
            _ = try Waybill.items(of: results(of: outcomes), in: reply, plan)
            return Reading((), of: reply, beside)
        }
    }
}

/// The items of a batch, before they are decoded.
private struct Batch {
    /// The reply to decode the items from.
    ///
    /// It differs from the received reply if ``WriteResult`` builds the items from the request, or if the server
    /// responds to a batch of one with a single object.
    var reply: Reply

    /// The path of the list, and the paths within each item.
    var extraction: Extraction

    /// The problems of failed items that were removed from the reply, by index in the batch.
    var problems: [Int: any Sendable] = [:]

    init(_ reply: Reply, path: [EnvelopeKey], _ item: WriteResult.ItemProblem.Rule?, itemsHaveProblems: Bool = true) {
        self.reply = reply
        extraction = Extraction(path: path)
        extraction.item = item.map { (itemsHaveProblems ? $0.extra : nil, $0.itemPath) }
    }

    /// Returns the outcomes with the problems inserted at their indices.
    func withProblems<Element>(_ outcomes: [ItemOutcome<Element>]) -> [ItemOutcome<Element>] {
        var rest = outcomes.makeIterator()
        return (0..<outcomes.count + problems.count).compactMap { index in
            problems[index].map { .problem($0) } ?? rest.next()
        }
    }
}

extension Reply {
    /// Returns the items of a batch, before they are decoded.
    fileprivate func batch(of count: Int, _ plan: Call.Plan, typeName: String) throws(APIError) -> Batch {
        let problem = plan.settings[WriteResult.ItemProblem.self]?.rule
        let itemPath = problem?.itemPath ?? []
        if plan.takesSentForEmptyBody, body.isEmpty {
            let reply = try repeatingRequest(at: itemPath, plan: plan, typeName: typeName)
            return Batch(reply, path: [], problem, itemsHaveProblems: false)
        }
        let (reply, path) = listing(batchOf: count, plan)
        guard plan.mergesItems else { return Batch(reply, path: path, problem) }
        // Problems are read before merging: a sent member must neither look like a problem nor hide one.
        var failed: [Int: any Sendable] = [:]
        if problem != nil {
            for (index, outcome) in try problems(ofBatch: count, extras: [], plan).0.enumerated() {
                if case .problem(let problem) = outcome { failed[index] = problem }
            }
        }
        // The count is checked before merging, because items are matched by index.
        let responses: JSONValue
        do {
            // Skips the declared metadata, which is read from the received reply.
            responses = try Extraction(path: path).decode(JSONValue.self, from: reply.body, with: plan.decoder).value
        } catch {
            throw .decoding(reply.failure(error, decoding: typeName, plan: plan))
        }
        if let items = responses.arrayValue, HTTPResponse.StatusSet.success.contains(status) {
            try checkCount(items.count, ofBatch: count, plan, typeName: typeName)
        }
        let merged = try reply.merged(
            responses,
            at: itemPath,
            except: Set(failed.keys),
            plan: plan,
            typeName: typeName
        )
        var batch = Batch(merged, path: [], problem, itemsHaveProblems: false)
        batch.problems = failed
        return batch
    }

    /// Decodes the items of a batch, and the metadata and extras of the received reply.
    fileprivate func items<Element: Decodable & Sendable>(
        _ type: Element.Type,
        _ extraction: Extraction,
        beside received: Reply,
        extras: [Extraction.SideValue],
        _ plan: Call.Plan
    ) throws(APIError) -> ([ItemOutcome<Element>], Extras) {
        let typeName = "[\(Element.self)]"
        guard unmerged != nil else {
            return try extract(
                [ItemOutcome<Element>].self,
                extraction,
                extras: extras,
                plan: plan,
                typeName: typeName
            )
        }
        // A rewritten body contains only the items.
        let beside =
            received.body.isEmpty
            ? Extras(missing: extras)
            : try received.extract(IgnoredValue.self, Extraction(), extras: extras, plan: plan).1
        do {
            return (try extraction.decode([ItemOutcome<Element>].self, from: body, with: plan.decoder).value, beside)
        } catch let failure as ExtraFailure {
            throw .decoding(self.failure(failure.underlying, decoding: failure.typeName, plan: plan))
        } catch {
            throw .decoding(failure(error, decoding: typeName, plan: plan))
        }
    }

    /// Returns the outcome of each item, decoding only problems.
    fileprivate func problems(
        ofBatch count: Int,
        extras: [Extraction.SideValue],
        _ plan: Call.Plan
    ) throws(APIError) -> ([ItemOutcome<IgnoredValue>], Extras) {
        let (reply, path) = listing(batchOf: count, plan)
        var extraction = Extraction(path: path)
        extraction.item = (plan.settings[WriteResult.ItemProblem.self]?.rule?.extra, [])
        return try reply.items(IgnoredValue.self, extraction, beside: self, extras: extras, plan)
    }

    /// Returns the failure of a batch with failed items; nil if no item failed, or if the problems cannot be decoded.
    fileprivate func itemsFailure(ofBatch count: Int, _ plan: Call.Plan) -> APIError? {
        guard plan.settings[WriteResult.ItemProblem.self]?.rule != nil, !body.isEmpty else { return nil }
        do throws(APIError) {
            let outcomes = try problems(ofBatch: count, extras: [], plan).0
            // If the number of items differs, problems cannot be matched to items. In a rejected batch, this is
            // harmless, because no item was stored.
            guard outcomes.count == count || !HTTPResponse.StatusSet.success.contains(status) else { return nil }
            _ = try Waybill.items(of: results(of: outcomes), in: self, plan)
            return nil
        } catch {
            if case .items = error { return error }
            return nil
        }
    }

    /// Checks that the response to a batch contains as many items as were sent.
    ///
    /// - Throws: ``APIError/decoding(_:)`` with both counts if they differ.
    fileprivate func checkCount(
        _ received: Int,
        ofBatch sent: Int,
        _ plan: Call.Plan,
        _ type: Any.Type
    ) throws(APIError) {
        try checkCount(received, ofBatch: sent, plan, typeName: "\(type)")
    }

    /// Checks that the response to a batch contains as many items as were sent.
    ///
    /// - Throws: ``APIError/decoding(_:)`` with both counts if they differ.
    func checkCount(_ received: Int, ofBatch sent: Int, _ plan: Call.Plan, typeName: String) throws(APIError) {
        guard received != sent else { return }
        throw .decoding(failure(OtherItemCount(sent: sent, received: received), decoding: typeName, plan: plan))
    }

    /// Whether the response to a batch of one item is a single object instead of a list.
    fileprivate func isOneObject(ofBatch count: Int, _ plan: Call.Plan) -> Bool {
        oneObject(ofBatch: count, plan) != nil
    }

    /// Returns the reply that contains the list of items, and the list's path; a single object in response to a batch
    /// of one becomes a list of one.
    private func listing(batchOf count: Int, _ plan: Call.Plan) -> (Reply, [EnvelopeKey]) {
        let envelope = plan.settings[Envelope.self] ?? .none
        guard let object = oneObject(ofBatch: count, plan) else { return (self, envelope.list) }
        // Uses the received bytes, because decoding the object replaced its lone surrogates.
        guard let bytes = JSONText.value(at: envelope.item, in: body) else {
            return (replacingBody(with: .array([object])), [])
        }
        var reply = self
        (reply.body, reply.unmerged) = (Data("[".utf8) + bytes + Data("]".utf8), body)
        return (reply, [])
    }

    private func oneObject(ofBatch count: Int, _ plan: Call.Plan) -> JSONValue? {
        guard count == 1, !body.isEmpty,
            let document = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: body)
        else { return nil }
        let envelope = plan.settings[Envelope.self] ?? .none
        guard document.value(at: envelope.list)?.arrayValue == nil,
            let object = document.value(at: envelope.item), object.objectValue != nil
        else { return nil }
        return object
    }
}

/// Returns the result of each item of a batch; a failure contains the item's index.
private func results<Value>(of items: [ItemOutcome<Value>]) -> [Result<Value, APIError.ItemsFailure.Item>] {
    items.enumerated().map { index, item in
        switch item {
        case .value(let value): .success(value)
        case .problem(let problem): .failure(APIError.ItemsFailure.Item(index: index, problem: problem))
        }
    }
}

/// Returns the successful items of a batch.
///
/// - Throws: ``APIError/items(_:)`` if any item failed.
private func items<Value>(
    of results: [Result<Value, APIError.ItemsFailure.Item>],
    in reply: Reply,
    _ plan: Call.Plan
) throws(APIError) -> [Value] {
    var failed: [APIError.ItemsFailure.Item] = []
    let values = results.compactMap { result -> Value? in
        switch result {
        case .success(let value): return value
        case .failure(let item):
            failed.append(item)
            return nil
        }
    }
    guard failed.isEmpty else {
        throw .items(
            APIError.ItemsFailure(call: reply.call(of: plan), status: reply.status, items: failed, count: results.count)
        )
    }
    return values
}
