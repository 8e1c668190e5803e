import WaybillJSON
import WaybillSystem

/// Fetches one page and reads the place of the next one from it.
struct PageReader<Value: _ListValue & Sendable>: Sendable where Value.Element: Sendable {
    let endpoint: Endpoint<Value>
    let paginated: Paginated?

    func page(at cursor: Cursor?) async throws(APIError) -> Page<Value.Element> {
        let plan = try plan(at: cursor)
        guard let paginated else { throw pagingFailure(.notDeclared, cursor) }
        return try await endpoint.client.run(plan) { (reply) throws(APIError) in
            try read(reply, at: cursor, by: paginated, plan)
        }
    }

    /// Reads a page from a reply.
    private func read(
        _ reply: Reply,
        at cursor: Cursor?,
        by paginated: Paginated,
        _ plan: Plan
    ) throws(APIError) -> Page<Value.Element> {
        let neighbours = PageNeighbours(cursor: cursor, paginated: paginated, plan: plan)
        let scheme = paginated.scheme
        let isFirst = cursor == nil
        let paths = scheme.reads + scheme.readsOfLastItem.map { plan.pathOfList + [.index(-1)] + $0 }
        let reading = try endpoint.reader.read(
            reply,
            plan,
            paths.map { Extraction.SideValue(contentAt: $0, findsNames: isFirst) }
        )
        let known = Dictionary(zip(paths, reading.extras)) { first, _ in first }
        let items = Value._elements(of: reading.response.value)
        let info = try neighbours.read(reply, itemCount: items.count + reading.response.droppedItems.count) { path in
            if let content = known[path] as? PlaceContent { return content }
            return try reply.content(at: path, findsNames: isFirst, with: plan.decoder)
        }
        return Page(
            items: items,
            number: neighbours.number,
            next: info.next,
            previous: info.previous,
            total: info.total,
            response: reading.response.map { Value._elements(of: $0) },
            plan: plan,
            missing: info.missing
        )
    }

    /// Returns the plan of the request for a page, for a cursor that was made for this list.
    func plan(at cursor: Cursor?) throws(APIError) -> Plan {
        guard let scheme = paginated?.scheme else { throw pagingFailure(.notDeclared, cursor) }
        let plan = try RequestBuilder(
            client: endpoint.client.scopes,
            scopes: endpoint.scopes,
            target: endpoint.target,
            page: cursor?.request ?? scheme.first,
            cursor: cursor
        ).plan()
        guard let cursor else { return plan }
        if cursor.scheme != scheme.name || cursor.path != plan.cursorPath {
            let reason = APIError.PaginationFailure.Reason.foreignCursor(path: cursor.path, scheme: cursor.scheme)
            throw .pagination(APIError.PaginationFailure(call: plan.failedCall(), reason: reason))
        }
        if cursor.body != plan.cursorBody {
            throw .pagination(APIError.PaginationFailure(call: plan.failedCall(), reason: .foreignBody))
        }
        if cursor.repeatsItself, paginated?.repeats == .never {
            throw .pagination(APIError.PaginationFailure(call: plan.failedCall(), reason: .loop))
        }
        return plan
    }

    func pagingFailure(_ reason: APIError.PaginationFailure.Reason, _ cursor: Cursor?) -> APIError {
        let template = (try? endpoint.plan().template) ?? ""
        let call = APIError.FailedCall(method: endpoint.method, template: template, url: nil, cursor: cursor)
        return .pagination(APIError.PaginationFailure(call: call, reason: reason))
    }
}
