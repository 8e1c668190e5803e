import WaybillJSON
import WaybillSystem

/// A reader that fetches single pages and decodes their items all at once or as they arrive.
struct PageReader<Value: _ListValue & Sendable>: Sendable where Value.Element: Sendable {
    let endpoint: Endpoint<Value>
    let paginated: Paginated?

    /// The cursor at which walks start if they skip pages; nil if they start at the first page.
    var start: Cursor? { paginated?.scheme?.start }

    /// Returns the page to request: the page at a cursor, or the first page.
    ///
    /// - Parameters:
    ///   - cursor: the cursor; nil for the first page.
    ///   - isForCall: whether the plan is for a call, which receives a new idempotency key if one is declared.
    /// - Returns: the page, with the plan of its request.
    /// - Throws: ``APIError/request(_:)`` with all declaration errors; ``APIError/pagination(_:)`` if the cursor
    ///   belongs to a different list, or if the endpoint does not declare ``Paginated``.
    func requested(at cursor: Cursor?, isForCall: Bool = true) throws(APIError) -> RequestedPage {
        guard let paginated, let scheme = paginated.scheme else {
            let template = (try? endpoint.plan().template) ?? ""
            let call = APIError.FailedCall(method: endpoint.method, template: template, cursor: cursor)
            throw .pagination(APIError.PaginationFailure(call: call, reason: .notDeclared))
        }
        let given = cursor ?? scheme.start
        var declarationErrors: [Scope.DeclarationError] = []
        let located = given.map { scheme.located($0, &declarationErrors) }
        var builder = RequestBuilder(
            client: endpoint.client.scopes,
            scopes: endpoint.scopes,
            target: endpoint.target,
            page: located?.request ?? scheme.first,
            cursor: given
        )
        builder.declarationErrors += declarationErrors
        if scheme.startsOver, PageBeginning.checksum(of: [Value.Element]()) == nil {
            builder.declarationErrors.append(.startsOverWithoutIDs(scheme))
        }
        let plan = try builder.plan()
        let isPosition = given?.position != nil
        if let given, !isPosition, let reason = paginated.rejection(of: given, of: scheme, for: plan) {
            throw .pagination(APIError.PaginationFailure(call: plan.failedCall(), reason: reason))
        }
        return RequestedPage(
            cursor: isPosition ? located?.of(plan) : given,
            paginated: paginated,
            scheme: scheme,
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
        let (scheme, plan, isFirst) = (requested.scheme, requested.plan, !requested.followsAnother)
        let paths = scheme.reads + scheme.readsOfLastItem.map { plan.pathOfList + [.index(-1)] + $0 }
        let value = try endpoint.reader.read(
            reply,
            of: plan,
            paths.map { Extraction.SideValue(contentAt: $0, findsNames: isFirst) }
        )
        let known = Dictionary(zip(paths, value.extras)) { first, _ in first }
        var items = Value._elements(of: value.response.value)
        let beginning = requested.comparesBeginning ? PageBeginning.checksum(of: items) : nil
        let isRepeated = beginning != nil && beginning == requested.cursor?.beginning && requested.number > 1
        if isRepeated, scheme.startsOver { items = [] }
        let itemCount = items.isEmpty && isRepeated ? 0 : items.count + value.response.droppedItems.count
        var reading = try requested.read(reply, itemCount: itemCount, beginning: beginning) { path in
            let content =
                try known[path] as? PlaceContent
                ?? reply.content(at: path, findsNames: isFirst, with: plan.decoder)
            guard itemCount == 1, let itemPath = plan.pathOfOnlyItem(insteadOf: path, with: content) else {
                return content
            }
            return try reply.content(at: itemPath, findsNames: isFirst, with: plan.decoder)
        }
        if isRepeated, !scheme.startsOver, requested.paginated.repeats != .items, reading.total == nil {
            throw reading.failure(requested.number == 2 ? .repeatedItems : .startedOver, at: requested.cursor)
        }
        if requested.paginated.repeats != .items {
            var checksum = PageChecksum<Value.Element>()
            for item in items { checksum.add(item) }
            reading.checksum = checksum.value { Hasher.sum(of: value.response.body) }
            reading.identifiesItems = checksum.identifiesItems
        }
        return Page(items: items, response: value.response.map { _ in items }, reading: reading)
    }
}

extension Call.Plan {
    /// Returns the path to a value of a list's only item, if the server sent that item in place of an array.
    ///
    /// - Parameters:
    ///   - path: the path to a value of the array's first or last item.
    ///   - content: the content at that path.
    /// - Returns: the path without the index; nil if the list is an array, or if the path does not lead to its first or
    ///   last item.
    fileprivate func pathOfOnlyItem(insteadOf path: [EnvelopeKey], with content: PlaceContent) -> [EnvelopeKey]? {
        guard missingList.contains(.isOneItem), case .blocked(pathOfList.count, _) = content,
            path.starts(with: pathOfList), [.index(0), .index(-1)].contains(path[pathOfList.count])
        else { return nil }
        return pathOfList + path.dropFirst(pathOfList.count + 1)
    }
}

extension Paginated {
    /// Returns the reason to reject a cursor; nil if it can be followed.
    fileprivate func rejection(
        of cursor: Cursor,
        of scheme: Paginated.Scheme,
        for plan: Call.Plan
    ) -> APIError.PaginationFailure.Reason? {
        if cursor.scheme != scheme.name || cursor.path != plan.cursorPath {
            return .foreignCursor(path: cursor.path, scheme: cursor.scheme)
        }
        if cursor.body != plan.cursorBody { return .foreignBody }
        if let filters = cursor.filters {
            let others = plan.cursorFilters(besides: cursor.request)
            let names = Set(filters.keys).union(others.keys).filter { filters[$0] != others[$0] }
            if !names.isEmpty { return .foreignQuery(names: names.sorted()) }
        }
        return cursor.repeatsItself && repeats == .never ? .loop : nil
    }
}

extension Scope.DeclarationError {
    /// Returns the error for a list that starts over but whose items lack the ids needed to recognize the first page.
    fileprivate static func startsOverWithoutIDs(_ scheme: Paginated.Scheme) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Paginated",
            value: "\(scheme)",
            reason: "startsOver: recognizes the first page by the ids of its items, so they must be Identifiable, with"
                + " ids that can be path segments; a store cannot page such a list"
        )
    }
}

extension Cursor {
    /// Returns a copy of the cursor, bound to a plan's list.
    fileprivate func of(_ plan: Call.Plan) -> Cursor {
        Cursor(
            scheme: scheme,
            path: plan.cursorPath,
            pageNumber: pageNumber,
            body: plan.cursorBody,
            filters: plan.cursorFilters(besides: request),
            beginning: beginning,
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
