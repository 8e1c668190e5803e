import WaybillJSON
import WaybillSystem

/// A reader of single pages that decodes their items all at once or as they arrive.
struct PageReader<Value: _ListValue & Sendable>: Sendable where Value.Element: Sendable {
    let endpoint: Endpoint<Value>
    let paginated: Paginated?

    /// The cursor at which a walk starts if it skips pages; nil if it starts at the first page.
    var start: Cursor? { paginated?.scheme.start }

    /// Returns the page to request: the one at a cursor of this list, or the first page.
    ///
    /// - Parameters:
    ///   - cursor: the cursor; nil for the first page.
    ///   - isForCall: whether the plan is for a call, which gets its own idempotency key if one is declared.
    /// - Returns: the page, with the plan of its request.
    /// - Throws: ``APIError/request(_:)`` with all declaration errors; ``APIError/pagination(_:)`` if the cursor
    ///   belongs to a different list, or if the endpoint does not declare ``Paginated``.
    func requested(at cursor: Cursor?, isForCall: Bool = true) throws(APIError) -> RequestedPage {
        guard let paginated else {
            let template = (try? endpoint.plan().template) ?? ""
            let call = APIError.FailedCall(method: endpoint.method, template: template, cursor: cursor)
            throw .pagination(APIError.PaginationFailure(call: call, reason: .notDeclared))
        }
        let given = cursor ?? paginated.scheme.start
        var declarationErrors: [DeclarationError] = []
        let located = given.map { paginated.scheme.located($0, &declarationErrors) }
        var builder = RequestBuilder(
            client: endpoint.client.scopes,
            scopes: endpoint.scopes,
            target: endpoint.target,
            page: located?.request ?? paginated.scheme.first,
            cursor: given
        )
        builder.declarationErrors += declarationErrors
        let plan = try builder.plan()
        let isPosition = given?.position != nil
        if let given, !isPosition, let reason = paginated.rejection(of: given, for: plan) {
            throw .pagination(APIError.PaginationFailure(call: plan.failedCall(), reason: reason))
        }
        return RequestedPage(
            cursor: isPosition ? located?.of(plan) : given,
            paginated: paginated,
            plan: isForCall ? endpoint.addingKey(to: plan) : plan,
            followsAnother: given != nil && !isPosition
        )
    }

    /// Fetches a page and decodes all of its items.
    func page(at cursor: Cursor?) async throws(APIError) -> Page<Value.Element> {
        let requested = try requested(at: cursor)
        return try await endpoint.client.run(requested.plan) { (reply) throws(APIError) in
            try page(reply, of: requested)
        }
    }

    private func page(_ reply: Reply, of requested: RequestedPage) throws(APIError) -> Page<Value.Element> {
        let (scheme, plan, isFirst) = (requested.paginated.scheme, requested.plan, !requested.followsAnother)
        let paths = scheme.reads + scheme.readsOfLastItem.map { plan.pathOfList + [.index(-1)] + $0 }
        let value = try endpoint.reader.read(
            reply,
            of: plan,
            paths.map { Extraction.SideValue(contentAt: $0, findsNames: isFirst) }
        )
        let known = Dictionary(zip(paths, value.extras)) { first, _ in first }
        let items = Value._elements(of: value.response.value)
        let itemCount = items.count + value.response.droppedItems.count
        var reading = try requested.read(reply, itemCount: itemCount) { path in
            if let content = known[path] as? PlaceContent { return content }
            return try reply.content(at: path, findsNames: isFirst, with: plan.decoder)
        }
        if requested.paginated.repeats != .items {
            var checksum = PageChecksum<Value.Element>()
            for item in items { checksum.add(item) }
            reading.checksum = checksum.value { Hasher.sum(of: value.response.body) }
            reading.identifiesItems = checksum.identifiesItems
        }
        return Page(items: items, response: value.response.map { Value._elements(of: $0) }, reading: reading)
    }
}

extension Paginated {
    /// Returns the reason why a cursor cannot be followed; nil if it can.
    fileprivate func rejection(of cursor: Cursor, for plan: Plan) -> APIError.PaginationFailure.Reason? {
        if cursor.scheme != scheme.name || cursor.path != plan.cursorPath {
            return .foreignCursor(path: cursor.path, scheme: cursor.scheme)
        }
        if cursor.body != plan.cursorBody { return .foreignBody }
        return cursor.repeatsItself && repeats == .never ? .loop : nil
    }
}

extension Cursor {
    /// Returns a copy of the cursor, bound to the list that a plan requests.
    fileprivate func of(_ plan: Plan) -> Cursor {
        Cursor(
            scheme: scheme,
            path: plan.cursorPath,
            pageNumber: pageNumber,
            body: plan.cursorBody,
            itemsBefore: itemsBefore,
            request: request,
            repeatsItself: repeatsItself,
            size: size
        )
    }
}

extension Hasher {
    /// Returns a checksum of all bytes; the hash of `Data` covers only its first bytes.
    fileprivate static func sum(of data: Data) -> UInt64 {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}
