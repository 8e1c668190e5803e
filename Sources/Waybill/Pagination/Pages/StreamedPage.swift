import WaybillJSON
import WaybillSystem

/// A page whose items are returned while it arrives.
struct StreamedPage<Element: Decodable & Sendable>: Sendable {
    private(set) var neighbours: PageNeighbours
    let source: ElementSource<Element>

    /// The same page, with a cursor for the same request.
    func with(_ cursor: Cursor) -> StreamedPage {
        var page = self
        page.neighbours = PageNeighbours(cursor: cursor, paginated: neighbours.paginated, plan: neighbours.plan)
        return page
    }

    /// Returns the page as far as it has arrived, if that is enough for the cursor of the next one.
    func earlyStep() -> PageTrail.Step? {
        let known = KnownValues(of: self)
        guard let reading = try? read(known, itemCount: nil), known.isComplete, reading.next != nil else { return nil }
        return step(reading, itemCount: 0)
    }

    /// Returns the page when it has ended.
    func step() throws(APIError) -> PageTrail.Step {
        let known = KnownValues(of: self)
        let count = source.elementCount
        let reading = try read(known, itemCount: count)
        // A scheme of an app may have passed over the error.
        if let problem = known.problem { throw neighbours.unreadable(problem, source.reply(Data())) }
        return step(reading, itemCount: count)
    }

    private func read(_ known: KnownValues, itemCount: Int?) throws(APIError) -> PageNeighbours.Reading {
        try neighbours.read(source.reply(source.outline ?? Data()), itemCount: itemCount) {
            known.isComplete = false
        } content: { path in
            try known.content(at: path, isAtEnd: itemCount != nil)
        }
    }

    private func step(_ reading: PageNeighbours.Reading, itemCount: Int) -> PageTrail.Step {
        PageTrail.Step(
            next: reading.next,
            total: reading.total,
            missing: reading.missing,
            itemCount: itemCount,
            plan: neighbours.plan,
            url: source.body.response.url ?? neighbours.plan.url,
            secrets: source.body.response.secrets(of: neighbours.plan),
            status: source.body.response.status
        )
    }

    /// The values beside the items, as a scheme looks them up.
    private final class KnownValues {
        private let outline: Data?
        private let isFirst: Bool
        private let plan: Plan
        private let reply: Reply
        /// Whether all that the scheme has looked up was known.
        var isComplete = true
        /// The reason for which a value can never be read.
        private(set) var problem: String?

        init(of page: StreamedPage) {
            outline = page.source.outline
            isFirst = page.neighbours.cursor == nil
            plan = page.neighbours.plan
            reply = page.source.reply(outline ?? Data())
        }

        func content(at path: [EnvelopeKey], isAtEnd: Bool) throws -> PlaceContent {
            let list = plan.pathOfList
            guard outline != nil, !list.starts(with: path), !path.starts(with: list) else {
                isComplete = false
                let place = path.isEmpty ? "the body" : path.pathDescription
                let reason = "\(place) has items of the page, which are not kept while they are streamed; use `all`"
                problem = reason
                throw PaginationProblem.missing(reason)
            }
            let content = try reply.content(at: path, findsNames: isFirst && isAtEnd, with: plan.decoder)
            // It may still come, behind the list.
            if content.value == nil, !isAtEnd { isComplete = false }
            return content
        }
    }
}

extension PageReader where Value.Element: Decodable {
    /// Requests a page and returns it when its list begins.
    func streamedPage(at cursor: Cursor?) async throws(APIError) -> StreamedPage<Value.Element> {
        let plan = try plan(at: cursor)
        guard let paginated else { throw pagingFailure(.notDeclared, cursor) }
        if let error = paginated.rejectionOfStreaming {
            throw .request(APIError.RequestFailure(call: plan.failedCall(), declarationErrors: [error]))
        }
        let source = try await ElementSource<Value.Element>.open(
            plan,
            with: endpoint.client,
            keepsOutline: true,
            keepsSum: paginated.repeats != .items && !(Value.Element.self is any Identifiable.Type)
        )
        return StreamedPage(
            neighbours: PageNeighbours(cursor: cursor, paginated: paginated, plan: plan),
            source: source
        )
    }
}

extension Paginated {
    /// The reason for which pages cannot be streamed; nil if they can.
    fileprivate var rejectionOfStreaming: DeclarationError? {
        if !scheme.readsOfLastItem.isEmpty {
            return DeclarationError(
                clause: "Paginated",
                value: "\(scheme)",
                reason: "all(streaming:) keeps no item of a page, and this scheme reads the last one; use `all`"
            )
        }
        guard missingList == .isError else {
            return DeclarationError(
                clause: "Paginated",
                value: "missingList: \(missingList)",
                reason: "all(streaming:) cannot know that a list is missing before the body ends; use `all`"
            )
        }
        return nil
    }
}
