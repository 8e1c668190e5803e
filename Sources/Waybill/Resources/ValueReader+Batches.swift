extension ValueReader {
    /// Decodes the items of a batch; where ``BatchProblem`` is declared and an item has failed, all of it has.
    static func batch<Element: Decodable & Sendable>(of type: Element.Type = Element.self) -> Self
    where Value == [Element] {
        let plain = Self.merging()
        let outcomes = ValueReader<[Result<Element, ItemsFailure.Item>]>.outcomes(of: Element.self)
        return Self { (reply, plan, extras) throws(APIError) in
            guard plan.settings[BatchProblem.self] != nil else { return try plain.read(reply, plan, extras) }
            let reading = try outcomes.read(reply, plan, extras)
            var failed: [ItemsFailure.Item] = []
            let response = reading.response.map { results in
                results.compactMap { result -> Element? in
                    switch result {
                    case .success(let value): return value
                    case .failure(let item):
                        failed.append(item)
                        return nil
                    }
                }
            }
            guard failed.isEmpty else {
                throw .items(
                    ItemsFailure(
                        call: reply.call(of: plan),
                        status: reply.status,
                        items: failed,
                        count: reading.response.value.count
                    )
                )
            }
            return Reading(response: response, extras: reading.extras)
        }
    }

    /// Decodes each item of a batch, or the problem that stands in its place.
    static func outcomes<Element: Decodable & Sendable>(
        of type: Element.Type = Element.self
    ) -> ValueReader<[Result<Element, ItemsFailure.Item>]> where Value == [Result<Element, ItemsFailure.Item>] {
        ValueReader { (reply, plan, extras) throws(APIError) in
            var extraction = Extraction(path: plan.settings[Envelope.self]?.list ?? [])
            if let problem = plan.settings[BatchProblem.self] {
                extraction.item = (problem.extra, problem.itemPath)
            }
            let typeName = "[\(Element.self)]"
            var reply = reply
            if plan.settings[MergeAnswers.self] != nil, !reply.body.isEmpty {
                // The answers' fields are laid over what was sent, and decoding goes on from there.
                let path = Extraction(path: extraction.path)
                let (answers, _) = try reply.extract(JSONValue.self, path, [], plan, typeName: typeName)
                reply = try reply.merged(answers, at: extraction.item?.path ?? [], plan: plan, typeName: typeName)
                extraction.path = []
            }
            let (items, beside) = try reply.extract(
                [ItemOutcome<Element>].self,
                extraction,
                extras,
                plan,
                typeName: typeName
            )
            let results = items.enumerated().map { index, item -> Result<Element, ItemsFailure.Item> in
                switch item {
                case .value(let value): .success(value)
                case .problem(let problem): .failure(ItemsFailure.Item(index: index, problem: problem))
                }
            }
            return .init(
                response: Response(value: results, reply: reply, metadata: beside.metadata),
                extras: beside.extras
            )
        }
    }
}
