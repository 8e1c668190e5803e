import WaybillJSON
import WaybillSystem

/// Reads from a page how to get to the pages beside it, by its scheme.
struct PageNeighbours: Sendable {
    /// The cursors of the pages beside a page, and the number of items in all.
    struct Reading: Sendable {
        let next: Cursor?
        let previous: Cursor?
        let total: Int?
        /// The declared flags and counts that the page does not have.
        let missing: [Paginated.Scheme.Place]
    }

    /// The cursor of the page itself; nil for the first one.
    let cursor: Cursor?
    let paginated: Paginated
    let plan: Plan

    private var scheme: Paginated.Scheme { paginated.scheme }

    /// The number of the page.
    var number: Int { cursor?.pageNumber ?? 1 }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - reply: the response, for its head and for errors.
    ///   - itemCount: the number of items; nil if it is not known yet.
    ///   - missingCount: called if the scheme uses a number that is not known.
    ///   - content: finds the content of the body at a path, on the first page with the names beside a missing value.
    /// - Returns: the cursors and the total that the scheme has found.
    /// - Throws: ``APIError/pagination(_:)`` for a page that the scheme cannot read.
    func read(
        _ reply: Reply,
        itemCount: Int?,
        missingCount: @escaping () -> Void = {},
        content: @escaping ([EnvelopeKey]) throws -> PlaceContent
    ) throws(APIError) -> Reading {
        let request = cursor?.request ?? scheme.first
        let before = cursor == nil ? 0 : cursor?.itemsBefore
        let response = Paginated.Scheme.Response(
            request: request,
            url: reply.url,
            number: number,
            itemsBefore: before,
            itemCount: itemCount ?? Self.unknownCount(missingCount),
            size: plan.requestedSize(of: scheme),
            headerFields: reply.headerFields,
            listPath: plan.pathOfList,
            lookUp: { try content($0).value }
        )
        let check = PlaceCheck(plan: plan, scheme: scheme, headerFields: reply.headerFields, content: content)
        let info: Paginated.Scheme.PageInfo
        do {
            // The first page, when all of it is known.
            let isChecked = cursor == nil && itemCount != nil
            let countsAsEmpty = isChecked && itemCount == 0 && paginated.missingList == .isEmpty
            if isChecked { try check.checkPlaces(hasItems: itemCount != 0) }
            if countsAsEmpty { try check.checkMissingList(response, totals: paginated.totals) }
            info = try scheme.pageInfo(response)
            if countsAsEmpty, info.next != nil { try check.checkListElsewhere() }
        } catch {
            throw unreadable(reply.text(of: error, plan), reply)
        }
        if cursor == nil, itemCount == 0, info.next == nil, paginated.totals == .exact, let total = info.total,
            total > 0
        {
            throw failure(.missingItems(count: 0, total: total), reply)
        }
        let redaction = CursorRedaction(of: plan, sent: reply.secrets(of: plan))
        do throws(PaginationProblem) {
            let items = before.flatMap { before in itemCount.map { before.addingReportingOverflow($0) } }
            let itemsBefore = items.flatMap { $0.overflow ? nil : $0.partialValue }
            return Reading(
                next: try next(info.next, after: response, itemsBefore, redaction),
                previous: previous(info.previous, before: response, redaction),
                total: info.total,
                missing: itemCount == nil ? [] : check.missingPlaces
            )
        } catch {
            throw unreadable(error.description, reply)
        }
    }

    /// Returns the failure of a page whose neighbours cannot be read.
    func unreadable(_ reason: String, _ reply: Reply) -> APIError { failure(.unreadable(reason), reply) }

    private func failure(_ reason: APIError.PaginationFailure.Reason, _ reply: Reply) -> APIError {
        .pagination(APIError.PaginationFailure(call: reply.call(of: plan), status: reply.status, reason: reason))
    }

    private static func unknownCount(_ note: () -> Void) -> Int {
        note()
        return 0
    }

    private func next(
        _ request: Paginated.Scheme.Request?,
        after response: Paginated.Scheme.Response,
        _ itemsBefore: Int?,
        _ redaction: CursorRedaction
    ) throws(PaginationProblem) -> Cursor? {
        guard let given = request?.resolved(against: response.url.value) else { return nil }
        let request = try redaction.request(given)
        return Cursor(
            scheme: scheme.name,
            path: plan.cursorPath,
            body: plan.cursorBody,
            pageNumber: min(response.number, .max - 1) + 1,
            itemsBefore: itemsBefore,
            request: request,
            repeatsItself: request == response.request || given.url == String(response.url.value.textWithoutFragment)
        )
    }

    private func previous(
        _ request: Paginated.Scheme.Request?,
        before response: Paginated.Scheme.Response,
        _ redaction: CursorRedaction
    ) -> Cursor? {
        guard let given = request?.resolved(against: response.url.value),
            let request = try? redaction.request(given)
        else { return nil }
        let number = max(response.number - 1, 1)
        return Cursor(
            scheme: scheme.name,
            path: plan.cursorPath,
            body: plan.cursorBody,
            pageNumber: number,
            itemsBefore: number == 1 && request == scheme.first ? 0 : nil,
            request: request
        )
    }
}

extension Plan {
    /// The path of the list in the body.
    var pathOfList: [EnvelopeKey] { settings[Envelope.self]?.list ?? [] }

    /// Returns the number of items that the request asks for; nil if the scheme declares no place for it.
    fileprivate func requestedSize(of scheme: Paginated.Scheme) -> Int? {
        guard let size = scheme.size else { return nil }
        let count: Int? =
            if let keys = size.target.keys {
                (try? JSONDefaults.decoder.decode(JSONValue.self, from: body?.bytes ?? Data()))?
                    .value(at: keys[...])?.intValue
            } else {
                queryValue(size.name).flatMap { Int($0) }
            }
        return count.flatMap { $0 > 0 ? $0 : nil }
    }
}

extension Paginated.Scheme.Request {
    /// Returns the request with a relative URL made absolute; an invalid one stays for the request builder to reject.
    fileprivate func resolved(against base: URL) -> Paginated.Scheme.Request {
        guard let url, let absolute = URL.resolved(url, against: base) else { return self }
        var resolved = self
        resolved.url = absolute.absoluteString
        return resolved
    }
}

extension Reply {
    /// Returns the error in the body, in one line, secrets redacted.
    fileprivate func text(of error: any Error, _ plan: Plan) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let diagnosis = JSONDiagnosis(of: error, inEncoded: body).redacting(plan.secretNames.names)
        return diagnosis.path.isEmpty ? diagnosis.summary : "\(diagnosis.path): \(diagnosis.summary)"
    }

    /// Finds the content of the body at a path.
    func content(
        at path: [EnvelopeKey],
        findsNames: Bool,
        with decoder: any ResponseDecoder
    ) throws -> PlaceContent {
        guard !body.isEmpty else { return .missing(index: 0, names: []) }
        var extraction = Extraction()
        extraction.extras = [Extraction.SideValue(contentAt: path, findsNames: findsNames)]
        let extras = try extraction.decode(IgnoredValue.self, from: body, with: decoder).extras
        return extras.first as? PlaceContent ?? .null
    }
}
