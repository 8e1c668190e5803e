import WaybillJSON
import WaybillSystem

/// A requested page, with everything needed to read its response.
struct RequestedPage: Sendable {
    /// The cursor of the page; nil for the first one.
    var cursor: Cursor?
    let paginated: Paginated
    let scheme: Paginated.Scheme
    let plan: Call.Plan
    /// Whether another page provided the cursor, which proves that the declared locations are correct.
    let followsAnother: Bool

    /// The number of the page, counted from 1.
    var number: Int { cursor?.pageNumber ?? 1 }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - reply: the response, for its head and for errors.
    ///   - itemCount: the number of items; nil if not yet known.
    ///   - beginning: the checksum of the items' ids, if ``comparesBeginning`` is true and all items are known.
    ///   - missingCount: returns a substitute if the scheme reads the number of items before it is known.
    ///   - content: returns the body's content at a path; for a value missing from the first requested page, the
    ///     content includes the names of the existing members.
    /// - Returns: the scheme's reading of the page.
    /// - Throws: ``APIError/pagination(_:)`` if the scheme cannot read the page.
    func read(
        _ reply: Reply,
        itemCount: Int?,
        beginning: String? = nil,
        missingCount: @escaping () -> Int = { 0 },
        content: @escaping ([EnvelopeKey]) throws -> PlaceContent
    ) throws(APIError) -> PageReading {
        let request = cursor?.request ?? firstRequest
        let before = cursor == nil ? (beginsWithinList ? nil : 0) : cursor?.itemsBefore
        let response = Paginated.Scheme.Response(
            request: request,
            url: reply.url,
            number: number,
            itemsBefore: before,
            size: plan.requestedSize(of: scheme),
            asksForDeclaredSize: !plan.isAtURL,
            ignoresOriginOfLinks: plan.settings.ignoresOriginOfLinks,
            headerFields: reply.headerFields,
            countItems: { itemCount ?? missingCount() },
            listPath: plan.pathOfList,
            lookUp: content
        )
        let check = PlaceCheck(plan: plan, scheme: scheme, headerFields: reply.headerFields, content: content)
        let info: Paginated.Scheme.PageInfo
        do {
            // The first requested page is checked once it is complete. A page at a position chosen by the app may be
            // past the end.
            let isChecked = !followsAnother && itemCount != nil
            let mayCountAsEmpty = isChecked && cursor == nil && itemCount == 0 && plan.missingList.contains(.isEmpty)
            if isChecked { try check.checkPlaces(hasItems: itemCount != 0) }
            let reading = Result { try scheme.pageInfo(response) }
            if mayCountAsEmpty {
                // A wrong path for the list is a more helpful error than the scheme's.
                let isFollowed = (try? reading.get())?.next != nil
                try check.checkMissingList(response, totals: paginated.totals, isFollowed: isFollowed)
            }
            info = try reading.get()
        } catch {
            throw unreadable(reply.text(of: error, plan), reply)
        }
        if cursor == nil, !beginsWithinList, itemCount == 0, info.next == nil, paginated.totals == .exact,
            let total = info.total, total > 0
        {
            throw failure(.missingItems(count: 0, total: total), reply)
        }
        let redaction = CursorRedaction(of: plan, sent: reply.secrets(of: plan))
        do throws(PaginationProblem) {
            let items = before.flatMap { before in itemCount.map { before.addingReportingOverflow($0) } }
            let itemsBefore = items.flatMap { $0.overflow ? nil : $0.partialValue }
            return PageReading(
                requested: self,
                url: reply.url,
                secrets: reply.secrets(of: plan),
                status: reply.status,
                itemCount: itemCount ?? 0,
                next: try next(info.next, after: response, itemsBefore, beginning, redaction),
                previous: previous(info.previous, before: response, redaction),
                total: info.total,
                missing: itemCount == nil ? [] : check.missingPlaces
            )
        } catch {
            throw unreadable(error.description, reply)
        }
    }

    /// The request for the first page of a walk.
    ///
    /// If the route is a URL from the server, the values come from its query items.
    private var firstRequest: Paginated.Scheme.Request {
        guard plan.isAtURL else { return scheme.first }
        var request = scheme.first
        for field in request.query.fields { request.query[field.name] = plan.queryValue(field.name) }
        return request
    }

    /// Whether the walk starts at a URL from the server that may select a later page.
    var beginsWithinList: Bool {
        guard cursor == nil, plan.isAtURL else { return false }
        return switch scheme.kind {
        case .pageNumber(let target, let start, _, _, _), .offset(let target, let start, _, _):
            target.number(in: firstRequest).map { $0 != start } ?? false
        default: true
        }
    }

    /// Whether this is the first page of the list.
    private var isFirst: Bool { cursor == nil ? !beginsWithinList : number == 1 && cursor?.itemsBefore == 0 }

    /// Whether the page is compared with the first page, or is the first page for later comparisons.
    var comparesBeginning: Bool { isNumbered && (isFirst || cursor?.beginning != nil) }

    /// Returns the error for a page that the scheme cannot read.
    func unreadable(_ reason: String, _ reply: Reply) -> APIError { failure(.unreadable(reason), reply) }

    private func failure(_ reason: APIError.PaginationFailure.Reason, _ reply: Reply) -> APIError {
        .pagination(APIError.PaginationFailure(call: reply.call(of: plan), status: reply.status, reason: reason))
    }

    private func next(
        _ target: Paginated.Scheme.Request?,
        after page: Paginated.Scheme.Response,
        _ itemsBefore: Int?,
        _ beginning: String?,
        _ redaction: CursorRedaction
    ) throws(PaginationProblem) -> Cursor? {
        guard let given = target.map(keepingSize)?.resolved(against: page.url, in: plan) else { return nil }
        let request = try redaction.request(given)
        let repeatsItself = request == page.request || given.url == String(page.url.textWithoutFragment)
        return cursor(
            min(number, .max - 1) + 1,
            itemsBefore,
            request,
            beginning: cursor?.beginning ?? (isFirst ? beginning : nil),
            repeatsItself: repeatsItself
        )
    }

    private func previous(
        _ target: Paginated.Scheme.Request?,
        before page: Paginated.Scheme.Response,
        _ redaction: CursorRedaction
    ) -> Cursor? {
        guard let given = target.map(keepingSize)?.resolved(against: page.url, in: plan),
            let request = try? redaction.request(given)
        else { return nil }
        let number = max(number - 1, 1)
        let itemsBefore = number == 1 && request == scheme.first ? 0 : nil
        return cursor(number, itemsBefore, request, beginning: cursor?.beginning)
    }

    /// Returns the request for an adjacent page, with the app's page size for this walk.
    private func keepingSize(_ request: Paginated.Scheme.Request) -> Paginated.Scheme.Request {
        guard let count = cursor?.size, let size = scheme.size else { return request }
        return size.target.request(with: .integer(count), beside: request)
    }

    private func cursor(
        _ pageNumber: Int,
        _ itemsBefore: Int?,
        _ request: Paginated.Scheme.Request,
        beginning: String?,
        repeatsItself: Bool = false
    ) -> Cursor {
        Cursor(
            scheme: scheme.name,
            path: plan.cursorPath,
            pageNumber: pageNumber,
            body: plan.cursorBody,
            filters: plan.cursorFilters(besides: request),
            beginning: beginning,
            itemsBefore: itemsBefore,
            request: request,
            repeatsItself: repeatsItself,
            size: cursor?.size
        )
    }
}

/// A page's status, neighbors and counts, as read by its scheme.
struct PageReading: Sendable {
    let requested: RequestedPage
    let url: URL
    let secrets: CallSecrets
    let status: HTTPResponse.Status
    /// The number of items, including dropped ones.
    private(set) var itemCount: Int
    let next: Cursor?
    let previous: Cursor?
    /// The total number of items.
    let total: Int?
    /// The declared flags and counts that the page lacks.
    let missing: [Paginated.Scheme.Place]
    /// The checksum of the items; nil for a page without items.
    var checksum: UInt64?
    /// Whether the checksum covers ids.
    var identifiesItems = false

    /// Returns a copy that excludes a number of items already returned; the remaining items do not count as a repeated
    /// page.
    func leavingOut(_ count: Int) -> Self {
        var rest = self
        rest.itemCount -= count
        rest.checksum = nil
        return rest
    }

    /// Returns the error for a walk that stops after this page, with the cursor of the failed page.
    func failure(_ reason: APIError.PaginationFailure.Reason, at cursor: Cursor?) -> APIError {
        var call = requested.plan.failedCall()
        call.cursor = cursor
        return .pagination(APIError.PaginationFailure(call: call, status: status, reason: reason))
    }
}

extension Call.Plan {
    /// Whether the route is a URL from the server.
    fileprivate var isAtURL: Bool {
        for scope in scopes.reversed() {
            switch scope.route?.target {
            case .url: return true
            case .path: return false
            case .unchanged, nil: continue
            }
        }
        return false
    }

    /// The path of the list in the body.
    var pathOfList: [EnvelopeKey] { settings[Envelope.self]?.list ?? [] }

    /// Returns the requested number of items; nil if the scheme does not declare where to send it.
    fileprivate func requestedSize(of scheme: Paginated.Scheme) -> Int? {
        guard let size = scheme.size else { return nil }
        let count: Int? =
            if let path = size.target.bodyPath {
                (try? JSONDefaults.decoder.decode(JSONValue.self, from: body?.bytes ?? Data()))?
                    .value(at: path)?.intValue
            } else {
                queryValue(size.name).flatMap { Int($0) }
            }
        return count.flatMap { $0 > 0 ? $0 : nil }
    }
}

extension Paginated.Scheme.Request {
    /// Returns the request with an absolute URL.
    ///
    /// An invalid URL remains unchanged, and the request builder rejects it.
    fileprivate func resolved(against base: URL, in plan: Call.Plan) -> Paginated.Scheme.Request {
        guard let url, let absolute = URL.resolved(url, against: base) else { return self }
        var resolved = self
        resolved.url = plan.target(of: absolute, from: base).absoluteString
        return resolved
    }
}

extension Reply {
    /// Returns an error as one line, with secrets redacted.
    fileprivate func text(of error: any Error, _ plan: Call.Plan) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let diagnosis = WaybillJSONDecoder.Diagnosis(of: error, inEncoded: body).redacting(plan.secretNames.names)
        return diagnosis.path.isEmpty ? diagnosis.summary : "\(diagnosis.path): \(diagnosis.summary)"
    }
}
