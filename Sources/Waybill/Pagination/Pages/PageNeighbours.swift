#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import WaybillJSON

/// Reads from a page how to get to the pages beside it, by its scheme.
struct PageNeighbours: Sendable {
    /// The cursors of the pages beside a page, and the number of items in all.
    struct Reading: Sendable {
        let next: Cursor?
        let previous: Cursor?
        let total: Int?
    }

    /// The cursor of the page itself; nil for the first one.
    let cursor: Cursor?
    let scheme: Pagination
    let plan: Plan

    /// The number of the page.
    var number: Int { cursor?.pageNumber ?? 1 }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - reply: the response, for its head and for errors.
    ///   - itemCount: the number of items; nil if it is not known yet.
    ///   - missingCount: called if the scheme uses a number that is not known.
    ///   - lookUp: finds a value of the body.
    /// - Returns: the cursors and the total that the scheme has found.
    /// - Throws: ``APIError/pagination(_:)`` for a page that the scheme cannot read.
    func read(
        _ reply: Reply,
        itemCount: Int?,
        missingCount: @escaping () -> Void = {},
        lookUp: @escaping ([EnvelopeKey]) throws -> JSONValue?
    ) throws(APIError) -> Reading {
        let request = cursor?.request ?? scheme.first
        let before = cursor == nil ? 0 : cursor?.itemsBefore
        let response = Pagination.Response(
            request: request,
            url: reply.url,
            number: number,
            itemsBefore: before,
            itemCount: itemCount ?? Self.unknownCount(missingCount),
            size: plan.queryValue(scheme.sizeName).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil },
            headerFields: reply.headerFields,
            listPath: plan.pathOfList,
            lookUp: lookUp
        )
        let info: Pagination.PageInfo
        do {
            info = try scheme.pageInfo(response)
        } catch {
            throw unreadable(reply.text(of: error, plan), reply)
        }
        let redaction = CursorRedaction(of: plan, sent: reply.secrets(of: plan))
        do throws(PaginationProblem) {
            let items = before.flatMap { before in itemCount.map { before.addingReportingOverflow($0) } }
            let itemsBefore = items.flatMap { $0.overflow ? nil : $0.partialValue }
            return Reading(
                next: try next(info.next, after: response, itemsBefore, redaction),
                previous: previous(info.previous, before: response, redaction),
                total: info.total
            )
        } catch {
            throw unreadable(error.description, reply)
        }
    }

    /// Returns the failure of a page whose neighbours cannot be read.
    func unreadable(_ reason: String, _ reply: Reply) -> APIError {
        .pagination(
            APIError.PaginationFailure(call: reply.call(of: plan), status: reply.status, reason: .unreadable(reason))
        )
    }

    private static func unknownCount(_ note: () -> Void) -> Int {
        note()
        return 0
    }

    private func next(
        _ request: Pagination.Request?,
        after response: Pagination.Response,
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
            repeatsItself: request == response.request || given.url == response.url.absoluteString
        )
    }

    private func previous(
        _ request: Pagination.Request?,
        before response: Pagination.Response,
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
}

extension Pagination.Request {
    /// Returns the request with a relative URL made absolute; an invalid one stays for the request builder to reject.
    fileprivate func resolved(against base: URL) -> Pagination.Request {
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

    /// Decodes a value of the body by its path.
    func value(at path: [EnvelopeKey], with decoder: any ResponseDecoder) throws -> JSONValue? {
        guard !body.isEmpty else { return nil }
        var extraction = Extraction()
        extraction.extras = [Extraction.SideValue(ifPresent: JSONValue.self, at: path)]
        return try extraction.decode(IgnoredValue.self, from: body, with: decoder).extras.first as? JSONValue
    }
}
