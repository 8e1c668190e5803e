import WaybillSystem

extension APIError {
    /// A failure to paginate: the next page cannot be requested, or the received pages are inconsistent.
    public struct PaginationFailure: CallFailure {
        /// A reason that pagination cannot continue.
        public enum Reason: Sendable, Hashable {
            /// The next page has already been read, so pagination would never end.
            case loop
            /// The next page is on a different origin, which the declaration does not allow.
            case foreignOrigin(String)
            /// The page has the same items as the previous one, so the server may ignore the page parameters.
            case repeatedItems
            /// The page has the same items as the earlier page with this number, so the server may have started over.
            case itemsOfEarlierPage(Int)
            /// The page has the same items as the first page, so the server may start over past the end of the list.
            case startedOver
            /// The scheme declares `startsOver`, which compares later pages with the first one, but pagination did not
            /// begin at the first page.
            case unknownBeginning
            /// Items were removed during pagination, moving others to earlier pages. Those pages are reread only if the
            /// items are `Identifiable`.
            case removedItems(count: Int)
            /// Pagination ended with fewer items than the total reported by the server.
            case missingItems(count: Int, total: Int)
            /// Pagination ended with more items than any total reported by the server.
            case excessItems(count: Int, total: Int)
            /// The number of pages exceeds the declared limit.
            case tooManyPages(limit: Int)
            /// The link to the next page is not a URL.
            case invalidLink(String)
            /// The page lacks the required values, or no page contains the declared values.
            case unreadable(String)
            /// The cursor was created for another list or by another pagination scheme.
            case foreignCursor(path: String, scheme: String)
            /// The cursor was created for a request with another body.
            case foreignBody
            /// The cursor was created for a request with other values for these query items.
            case foreignQuery(names: [String])
            /// Pages were requested without a ``Paginated`` clause, or with ``Paginated/none``.
            case notDeclared
        }

        /// The call that failed.
        public package(set) var call: FailedCall

        /// The status of the page's response; nil if nothing was sent.
        public let status: HTTPResponse.Status?

        /// The reason that pagination cannot continue.
        public let reason: Reason

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - status: the status of the page's response; nil if nothing was sent.
        ///   - reason: the reason that pagination cannot continue.
        public init(call: FailedCall, status: HTTPResponse.Status? = nil, reason: Reason) {
            self.call = call
            self.status = status
            self.reason = reason
        }

        var apiError: APIError { .pagination(self) }
        var outcome: String { "cannot be paged\(status == nil ? "" : " further"): \(call.redacted("\(reason)"))" }
        var properties: [Mirror.Child] { [("status", status as Any), ("reason", call.redacted("\(reason)"))] }
        var brief: String { "failed pagination" }
        var sentence: ErrorSentence { .incompleteList }
    }
}

extension APIError.PaginationFailure.Reason: CustomStringConvertible {
    /// The reason and instructions to resolve it, on one line.
    public var description: String {
        switch self {
        case .loop:
            "the next page was already read; allow it with Paginated(…, repeats: .requests)"
        case .repeatedItems:
            "the page has the same items as the previous one, so the server may ignore the page's parameters; if it "
                + "starts over past the end instead, declare startsOver: true in the scheme; if pages can be equal, "
                + Self.equalPages
        case .itemsOfEarlierPage(let number):
            "the page has the same items as page \(number) of the walk, so the server may return to earlier pages; if "
                + "pages can be equal, \(Self.equalPages)"
        case .startedOver:
            "the page has the same items as the first page, so the server may start over past the end of the list; if "
                + "it does, declare startsOver: true in the scheme, or total: if there is a total; if pages can be equal, "
                + Self.equalPages
        case .unknownBeginning:
            "the scheme declares startsOver: true, which compares each page with the first one, and this walk began at a "
                + "later page; begin at the first page, or at a cursor from a walk that did"
        case .removedItems(let count):
            "the total has fallen by \(count) since the previous page, so items have moved to earlier pages, and "
                + "this walk cannot tell which; make the items Identifiable, collect them before you delete any, or "
                + "declare Paginated(…, totals: .estimated)"
        case .missingItems(let count, let total):
            "the walk ended after \(count) items, but the server's total is \(total); if that is an "
                + "estimate, declare Paginated(…, totals: .estimated)"
        case .excessItems(let count, let total):
            "the walk ended after \(count) items, but the server's total is \(total), so pages overlap; check "
                + "the first number or offset (startingAt:), or declare keepsQuery: true if the server's links lack the "
                + "query; if the total is an estimate, declare "
                + "Paginated(…, totals: .estimated)"
        case .foreignOrigin(let origin):
            "the next page is on another origin, \(origin); \(Route.Links.advice); if it is another server, allow it with "
                + "Paginated(…, otherOrigins: [\"\(origin)\"]), "
                + (origin.hasPrefix("http:") ? "unencrypted and without a credential" : "without a credential")
        case .tooManyPages(let limit):
            "there are more pages than the \(limit) allowed by Paginated(…, maximumPages:)"
        case .invalidLink(let link):
            "the link to the next page is not a URL: \(Redaction.url(text: link, secretNames: .usual))"
        case .unreadable(let reason):
            reason
        case .foreignCursor(let path, let scheme):
            "the cursor was made for \(path) by the scheme \(scheme)"
        case .foreignBody:
            "the cursor was made for a request with a different body; send that body, or start with the first page"
        case .foreignQuery(let names):
            "the cursor was made for a request with a different value of "
                + names.map { "\"\($0)\"" }.joined(separator: ", ")
                + " in its query; send that value, or start with the first page; if it is the page size, declare it in "
                + "the scheme, with size:"
        case .notDeclared:
            "no pagination scheme is declared; declare one, such as Paginated(.link())"
        }
    }

    /// The advice for lists that may contain equal pages.
    ///
    /// Without the page limit, pagination might never end.
    private static let equalPages = "declare Paginated(…, maximumPages: 1_000, repeats: .items)"
}
