import Foundation
import WaybillJSON

/// Fetches one page and reads from it where the next one is.
struct PageReader<Value: ListValue & Sendable>: Sendable where Value.Element: Sendable {
    let endpoint: Endpoint<Value>
    let paginated: Paginated?

    func page(at cursor: Cursor?) async throws(APIError) -> Page<Value.Element> {
        let plan = try plan(at: cursor)
        guard let scheme = paginated?.scheme else { throw refusal(.notDeclared, cursor) }
        return try await endpoint.client.exchange(plan) { (reply) throws(APIError) in
            try read(reply, at: cursor, by: scheme, plan)
        }
    }

    /// The page that a reply is.
    private func read(
        _ reply: Reply,
        at cursor: Cursor?,
        by scheme: Pagination,
        _ plan: Plan
    ) throws(APIError) -> Page<Value.Element> {
        let request = cursor?.request ?? scheme.first
        let paths = paths(scheme, plan)
        let reading = try endpoint.reader.read(
            reply,
            plan,
            paths.map { Extraction.Extra(ifPresent: JSONValue.self, at: $0) }
        )
        let known = Dictionary(zip(paths, reading.extras)) { first, _ in first }
        let items = reading.response.value.elements
        let answer = PageAnswer(
            request: request,
            url: reply.url,
            number: cursor?.pageNumber ?? 1,
            itemsBefore: cursor == nil ? 0 : cursor?.itemsBefore,
            itemCount: items.count + reading.response.droppedItems.count,
            size: plan.queryValue(scheme.sizeName).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil },
            headerFields: reply.headerFields,
            listPath: listPath(plan)
        ) { path in
            if let value = known[path] { return value as? JSONValue }
            return try reply.value(at: path, with: plan.decoder)
        }
        let turn = try turn(of: answer, by: scheme, plan, reply)
        let redaction = CursorRedaction(of: plan, sent: reply.secrets(of: plan))
        let next: Cursor?
        do {
            next = try self.next(turn.next, after: answer, scheme, plan, redaction)
        } catch {
            throw unreadable(error.description, reply, plan)
        }
        return Page(
            items: items,
            number: answer.number,
            next: next,
            previous: previous(turn.previous, before: answer, scheme, plan, redaction),
            total: turn.total,
            response: reading.response.map { $0.elements },
            plan: plan
        )
    }

    /// The plan of the request for a page, for a cursor that was made for this list.
    func plan(at cursor: Cursor?) throws(APIError) -> Plan {
        guard let scheme = paginated?.scheme else { throw refusal(.notDeclared, cursor) }
        let plan = try Planner(
            client: endpoint.client.scopes,
            scopes: endpoint.scopes,
            target: endpoint.target,
            page: cursor?.request ?? scheme.first,
            cursor: cursor
        ).plan()
        guard let cursor else { return plan }
        if cursor.scheme != scheme.name || cursor.path != plan.cursorPath {
            let reason = PaginationFailure.Reason.foreignCursor(path: cursor.path, scheme: cursor.scheme)
            throw .pagination(PaginationFailure(call: plan.failedCall(), reason: reason))
        }
        if cursor.repeatsItself, paginated?.repeats == .never {
            throw .pagination(PaginationFailure(call: plan.failedCall(), reason: .loop))
        }
        return plan
    }

    private func turn(
        of answer: PageAnswer,
        by scheme: Pagination,
        _ plan: Plan,
        _ reply: Reply
    ) throws(APIError) -> PageTurn {
        do {
            return try scheme.turn(answer)
        } catch {
            throw unreadable(reply.text(of: error, plan), reply, plan)
        }
    }

    private func unreadable(_ reason: String, _ reply: Reply, _ plan: Plan) -> APIError {
        .pagination(PaginationFailure(call: reply.call(of: plan), status: reply.status, reason: .unreadable(reason)))
    }

    private func next(
        _ request: PageRequest?,
        after answer: PageAnswer,
        _ scheme: Pagination,
        _ plan: Plan,
        _ redaction: CursorRedaction
    ) throws(PaginationProblem) -> Cursor? {
        guard let given = request?.resolved(against: answer.url.value) else { return nil }
        let request = try redaction.request(given)
        let (items, overflows) = (answer.itemsBefore ?? 0).addingReportingOverflow(answer.itemCount)
        return Cursor(
            scheme: scheme.name,
            path: plan.cursorPath,
            pageNumber: min(answer.number, .max - 1) + 1,
            itemsBefore: answer.itemsBefore == nil || overflows ? nil : items,
            request: request,
            repeatsItself: request == answer.request || given.url == answer.url.absoluteString
        )
    }

    private func previous(
        _ request: PageRequest?,
        before answer: PageAnswer,
        _ scheme: Pagination,
        _ plan: Plan,
        _ redaction: CursorRedaction
    ) -> Cursor? {
        guard let given = request?.resolved(against: answer.url.value),
            let request = try? redaction.request(given)
        else { return nil }
        let number = max(answer.number - 1, 1)
        return Cursor(
            scheme: scheme.name,
            path: plan.cursorPath,
            pageNumber: number,
            itemsBefore: number == 1 && request == scheme.first ? 0 : nil,
            request: request
        )
    }

    private func listPath(_ plan: Plan) -> [EnvelopeKey] { plan.settings[Envelope.self]?.list ?? [] }

    /// The paths that the scheme looks at, to be decoded together with the items.
    private func paths(_ scheme: Pagination, _ plan: Plan) -> [[EnvelopeKey]] {
        scheme.reads + scheme.readsOfLastItem.map { listPath(plan) + [.index(-1)] + $0 }
    }

    private func refusal(_ reason: PaginationFailure.Reason, _ cursor: Cursor?) -> APIError {
        let template = (try? endpoint.plan().template) ?? ""
        let call = FailedCall(method: endpoint.method, template: template, url: nil, cursor: cursor)
        return .pagination(PaginationFailure(call: call, reason: reason))
    }
}

extension PageRequest {
    /// The request with a relative URL made absolute; one that cannot be stays as it is, for the planner to refuse.
    fileprivate func resolved(against base: URL) -> PageRequest {
        guard let url, let absolute = URL.resolved(url, against: base) else { return self }
        var resolved = self
        resolved.url = absolute.absoluteString
        return resolved
    }
}

extension Reply {
    /// What went wrong in the body, in one line, secrets redacted.
    fileprivate func text(of error: any Error, _ plan: Plan) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let diagnosis = JSONDiagnosis(of: error, inEncoded: body).redacting(plan.secretNames.names)
        return diagnosis.path.isEmpty ? diagnosis.summary : "\(diagnosis.path): \(diagnosis.summary)"
    }

    /// A value of the body by its path, decoded only for this.
    fileprivate func value(at path: [EnvelopeKey], with decoder: any ResponseDecoder) throws -> JSONValue? {
        guard !body.isEmpty else { return nil }
        var extraction = Extraction()
        extraction.extras = [Extraction.Extra(ifPresent: JSONValue.self, at: path)]
        return try extraction.decode(Ignored.self, from: body, with: decoder).extras.first as? JSONValue
    }
}
