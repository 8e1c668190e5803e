extension ValueReader {
    /// Decodes the items of a batch; if ``BatchProblem`` is declared and an item has failed, all of it has.
    static func batch<Element: Decodable & Sendable>(of type: Element.Type = Element.self) -> Self
    where Value == [Element] {
        let plain = Self.merging()
        let outcomes = ValueReader<[Result<Element, APIError.ItemsFailure.Item>]>.outcomes(of: Element.self)
        return Self { (reply, plan, extras) throws(APIError) in
            guard plan.settings[BatchProblem.self] != nil else { return try plain.read(reply, plan, extras) }
            let reading = try outcomes.read(reply, plan, extras)
            let response = try reading.response.map { (results) throws(APIError) in
                try items(of: results, in: reply, plan)
            }
            return Reading(response: response, extras: reading.extras)
        }
    }

    /// Decodes each item of a batch, or the problem in its place.
    static func outcomes<Element: Decodable & Sendable>(
        of type: Element.Type = Element.self
    ) -> ValueReader<[Result<Element, APIError.ItemsFailure.Item>]>
    where Value == [Result<Element, APIError.ItemsFailure.Item>] {
        ValueReader { (reply, plan, extras) throws(APIError) in
            var extraction = Extraction(path: plan.settings[Envelope.self]?.list ?? [])
            if let problem = plan.settings[BatchProblem.self] {
                extraction.item = (problem.extra, problem.itemPath)
            }
            let typeName = "[\(Element.self)]"
            let received = reply
            var reply = reply
            let itemPath = extraction.item?.path ?? []
            if plan.takesSentForEmptyBody, reply.body.isEmpty {
                reply = try reply.repeatingRequest(at: itemPath, plan: plan, typeName: typeName)
                extraction.path = []
            } else if plan.mergesItems {
                // The members of the response are merged over those that were sent, and the result is decoded.
                let path = Extraction(path: extraction.path)
                let (responses, _) = try reply.extract(JSONValue.self, path, extras: [], plan: plan, typeName: typeName)
                reply = try reply.merged(responses, at: itemPath, plan: plan, typeName: typeName)
                extraction.path = []
            }
            let (items, beside) = try reply.extract(
                [ItemOutcome<Element>].self,
                extraction,
                extras: extras,
                plan: plan,
                typeName: typeName
            )
            return .init(
                response: Response(value: results(of: items), reply: received, metadata: beside.metadata),
                extras: beside.extras
            )
        }
    }
}

extension ValueReader where Value == Void {
    /// Decodes the problems of a batch, of which one makes it an ``APIError/ItemsFailure``; what else comes does not
    /// matter.
    static var batchIgnoring: Self {
        let plain = Self.ignoring
        return Self { (reply, plan, extras) throws(APIError) in
            guard let problem = plan.settings[BatchProblem.self], !reply.body.isEmpty else {
                return try plain.read(reply, plan, extras)
            }
            var extraction = Extraction(path: plan.settings[Envelope.self]?.list ?? [])
            extraction.item = (problem.extra, [])
            let (outcomes, beside) = try reply.extract(
                [ItemOutcome<IgnoredValue>].self,
                extraction,
                extras: extras,
                plan: plan
            )
            _ = try Waybill.items(of: results(of: outcomes), in: reply, plan)
            return Reading(
                response: Response(value: (), reply: reply, metadata: beside.metadata),
                extras: beside.extras
            )
        }
    }
}

/// Returns the result of each item of a batch, with its place.
private func results<Value>(of items: [ItemOutcome<Value>]) -> [Result<Value, APIError.ItemsFailure.Item>] {
    items.enumerated().map { index, item in
        switch item {
        case .value(let value): .success(value)
        case .problem(let problem): .failure(APIError.ItemsFailure.Item(index: index, problem: problem))
        }
    }
}

/// Returns the items of a batch, if none has failed.
private func items<Value>(
    of results: [Result<Value, APIError.ItemsFailure.Item>],
    in reply: Reply,
    _ plan: Plan
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
