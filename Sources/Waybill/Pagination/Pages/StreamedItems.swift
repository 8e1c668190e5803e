import WaybillJSON
import WaybillSystem

/// The items of a walk, each returned while its page is still arriving.
///
/// The next page is requested as soon as its cursor is known, from the head or from members before the list. Its body
/// is not read until the current page has ended.
final class StreamedItems<Element: Sendable> {
    typealias Open = @Sendable (Cursor?) async throws(APIError) -> StreamedPage<Element>

    private typealias Opening = Task<Result<StreamedPage<Element>, APIError>, Never>

    private let open: Open
    private var walk: PageWalk
    private var page: StreamedPage<Element>?
    private var checksum = PageChecksum<Element>()
    private let hash = ItemID.hash(of: Element.self)
    /// The number of items skipped on this page because they were returned before the walk stepped back.
    private var skippedCount = 0
    /// The request for the next page, if already sent.
    private var ahead: (cursor: Cursor, opening: Opening)?

    init(_ walk: PageWalk, open: @escaping Open) {
        self.open = open
        self.walk = walk
    }

    deinit { ahead?.opening.cancel() }

    /// Returns the next item; nil after the last one.
    func next() async throws(APIError) -> Element? {
        do throws(APIError) {
            while true {
                if page == nil {
                    let (ahead, open) = (ahead.take(), open)
                    page = try await walk.next { (cursor) async throws(APIError) in
                        try await Self.page(at: cursor, ahead, open)
                    }
                    checksum = PageChecksum()
                    skippedCount = 0
                    if let page { openAhead(of: page) }
                }
                guard let page else { return nil }
                if let element = try await page.source.next() {
                    checksum.add(element)
                    guard page.requested.isNumbered, let hash else { return element }
                    if walk.take(hash(element)) { return element }
                    skippedCount += 1
                    continue
                }
                try end(page)
                self.page = nil
            }
        } catch {
            page = nil
            ahead.take()?.opening.cancel()
            throw error
        }
    }

    private static func page(
        at cursor: Cursor?,
        _ ahead: (cursor: Cursor, opening: Opening)?,
        _ open: Open
    ) async throws(APIError) -> StreamedPage<Element> {
        guard let cursor, let opening = ahead?.opening else { return try await open(cursor) }
        let result = await withTaskCancellationHandler {
            await opening.value
        } onCancel: {
            opening.cancel()
        }
        return try result.get().with(cursor)
    }

    private func openAhead(of page: StreamedPage<Element>) {
        guard let early = try? page.reading(isAtEnd: false), early.isComplete,
            let cursor = walk.cursor(after: early.reading)
        else { return }
        let opening = Opening { [open] in
            do throws(APIError) {
                return .success(try await open(cursor))
            } catch {
                return .failure(error)
            }
        }
        ahead = (cursor, opening)
    }

    private func end(_ page: StreamedPage<Element>) throws(APIError) {
        var reading = try page.reading(isAtEnd: true).reading
        reading.checksum = checksum.value { page.source.bodySum }
        reading.identifiesItems = checksum.identifiesItems
        let returnedCount = reading.itemCount - skippedCount
        if try walk.goBack(from: reading, hasIDs: hash != nil, returnedCount: returnedCount) {
            ahead.take()?.opening.cancel()
            return
        }
        if skippedCount > 0 { reading = reading.leavingOut(skippedCount) }
        // The complete page has no next page, or a different one than its beginning indicated.
        if walk.cursor(after: reading)?.request != ahead?.cursor.request { ahead.take()?.opening.cancel() }
        try walk.add(reading)
    }
}

/// A page whose items are returned as they arrive.
struct StreamedPage<Element: Sendable>: Sendable {
    let requested: RequestedPage
    let source: any ArrivingList<Element>

    /// Returns the page with a different cursor for the same request.
    func with(_ cursor: Cursor) -> StreamedPage {
        var requested = requested
        requested.cursor = cursor
        return StreamedPage(requested: requested, source: source)
    }

    /// Reads the part of the page that has arrived.
    ///
    /// - Parameter isAtEnd: whether the page is complete.
    /// - Returns: the reading, and whether all values looked up by the scheme are known.
    /// - Throws: ``APIError/pagination(_:)`` if the scheme cannot read the page.
    func reading(isAtEnd: Bool) throws(APIError) -> (reading: PageReading, isComplete: Bool) {
        let plan = requested.plan
        let outline = source.outline
        let reply = source.reply(outline ?? Data())
        var isComplete = true
        var problem: String?
        let itemCount = isAtEnd ? source.elementCount : nil
        let reading = try requested.read(reply, itemCount: itemCount) {
            isComplete = false
            return 0
        } content: { path in
            let list = plan.pathOfList
            guard outline != nil, !list.starts(with: path), !path.starts(with: list) else {
                let place = path.isEmpty ? "the body" : path.pathDescription
                let reason = "\(place) contains the page's items, which streaming discards; use `all` instead"
                problem = reason
                throw PaginationProblem(reason)
            }
            let findsNames = !requested.followsAnother && isAtEnd
            let content = try reply.content(at: path, findsNames: findsNames, with: plan.decoder)
            if content.value == nil, !isAtEnd { isComplete = false }
            return content
        }
        // A custom scheme may have swallowed the error.
        if let problem { throw requested.unreadable(problem, reply) }
        return (reading, isComplete)
    }
}

/// A list whose elements are returned while the response is still arriving.
package protocol ArrivingList<Element>: Sendable {
    associatedtype Element: Sendable

    /// Returns the next element; nil after the last one.
    func next() async throws(APIError) -> Element?

    /// The number of elements so far, including dropped ones.
    var elementCount: Int { get }

    /// The received part of the document around the list; nil if it cannot be read yet.
    var outline: Data? { get }

    /// A checksum of the body; nil until the body has ended, or if none was requested.
    var bodySum: UInt64? { get }

    /// Returns the response with a different body.
    func reply(_ body: Data) -> Reply
}

extension PageReader {
    /// Requests a page and returns as soon as its list begins.
    ///
    /// - Parameters:
    ///   - cursor: the cursor of the page; nil for the first one.
    ///   - open: a closure that sends a plan's request and returns the list; its second argument is whether the list
    ///     must compute a checksum of its bytes.
    /// - Returns: the page.
    /// - Throws: the errors of `open`; ``APIError/request(_:)`` if the scheme cannot be streamed.
    func streamedPage(
        at cursor: Cursor?,
        open: (Call.Plan, Bool) async throws(APIError) -> any ArrivingList<Value.Element>
    ) async throws(APIError) -> StreamedPage<Value.Element> {
        let requested = try requested(at: cursor)
        if let error = requested.rejectionOfStreaming {
            throw .request(APIError.RequestFailure(call: requested.plan.failedCall(), declarationErrors: [error]))
        }
        let keepsSum = requested.paginated.repeats != .items && !(Value.Element.self is any Identifiable.Type)
        return StreamedPage(requested: requested, source: try await open(requested.plan, keepsSum))
    }
}

extension Endpoint where Value: _ListValue & Sendable, Value.Element: Sendable {
    /// Returns the items of all pages, each as soon as it arrives.
    ///
    /// - Parameters:
    ///   - cursor: the cursor of the first page to request.
    ///   - open: a closure that sends a plan's request and returns the list; its second argument is whether the list
    ///     must compute a checksum of its bytes.
    /// - Returns: the items.
    package func arrivingItems(
        from cursor: Cursor,
        open: @escaping @Sendable (Call.Plan, Bool) async throws(APIError) -> any ArrivingList<Value.Element>
    ) -> Pages<Value.Element>.Items {
        let reader = pageReader
        return Pages.Items {
            let items = StreamedItems(PageWalk(from: cursor.afterStart ?? reader.start)) {
                (cursor) async throws(APIError) in
                try await reader.streamedPage(at: cursor, open: open)
            }
            return { () async throws(APIError) in try await items.next() }
        }
    }
}

extension RequestedPage {
    /// The reason why pages cannot be streamed; nil if they can.
    fileprivate var rejectionOfStreaming: Scope.DeclarationError? {
        if !scheme.readsOfLastItem.isEmpty {
            return Scope.DeclarationError(
                clause: "Paginated",
                value: "\(scheme)",
                reason: "all(streaming:) keeps no items of a page, but this scheme reads the last one; use `all`"
            )
        }
        if scheme.startsOver {
            return Scope.DeclarationError(
                clause: "Paginated",
                value: "\(scheme)",
                reason: "all(streaming:) returns items before it can know that the list has started over; use `all`"
            )
        }
        guard plan.missingList == .isError else {
            return Scope.DeclarationError(
                clause: paginated.missingList == .isError ? "Envelope" : "Paginated",
                value: "missingList: \(plan.missingList)",
                reason: "all(streaming:) cannot know that a list is missing before the body ends; use `all`"
            )
        }
        return nil
    }
}
