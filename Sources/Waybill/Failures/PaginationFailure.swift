import WaybillSystem

extension APIError {
    /// A page that arrived, but does not lead to the next one.
    public struct PaginationFailure: CallFailure {
        /// The reason for which a walk cannot continue.
        public enum Reason: Sendable, Hashable {
            /// The next page was read before: the walk would never end.
            case loop
            /// The next page is on another origin, which the declaration does not allow.
            case foreignOrigin(String)
            /// The page has the same items as the one before: the server ignores what the request has for it.
            case repeatedItems
            /// The page has the items of an earlier page of the walk, of that number: the server may return to its
            /// beginning.
            case itemsOfEarlierPage(Int)
            /// Items were removed during the walk, so that others have moved to earlier pages, and the walk cannot go
            /// back: its items are not `Identifiable`.
            case removedItems(count: Int)
            /// The walk has ended with fewer items than the total of the server.
            case missingItems(count: Int, total: Int)
            /// The walk has ended with more items than any total of the server.
            case excessItems(count: Int, total: Int)
            /// There are more pages than the declaration allows.
            case tooManyPages(limit: Int)
            /// The link to the next page is not a URL.
            case invalidLink(String)
            /// The scheme could not read what it needs from the page, or no page has what it declares.
            case unreadable(String)
            /// The cursor was made for another list, or by another scheme.
            case foreignCursor(path: String, scheme: String)
            /// The cursor was made for a request with another body.
            case foreignBody
            /// Pages were requested without a ``Paginated`` clause.
            case notDeclared
        }

        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The status of the page; nil if nothing was sent.
        public let status: HTTPResponse.Status?

        /// The reason for which the walk cannot continue.
        public let reason: Reason

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall, status: HTTPResponse.Status? = nil, reason: Reason) {
            self.call = call
            self.status = status
            self.reason = reason
        }

        var apiError: APIError { .pagination(self) }
        var outcome: String { "cannot be paged\(status == nil ? "" : " further"): \(call.redacted("\(reason)"))" }
        var properties: [Mirror.Child] { [("status", status as Any), ("reason", call.redacted("\(reason)"))] }
        var brief: String { "a page that names no next page" }
        var sentence: ErrorSentence { .incompleteList }
    }
}

extension APIError.PaginationFailure.Reason: CustomStringConvertible {
    /// The reason and the advice, in one line.
    public var description: String {
        switch self {
        case .loop:
            "the next page was read before; allow it with Paginated(…, repeats: .requests)"
        case .repeatedItems:
            "the page has the same items as the one before it, so the server may ignore the page's parameters; "
                + "if pages can be equal, declare Paginated(…, repeats: .items)"
        case .itemsOfEarlierPage(let number):
            "the page has the same items as page \(number) of the walk, so the server may return to earlier pages; if "
                + "pages can be equal, declare Paginated(…, repeats: .items)"
        case .removedItems(let count):
            "the total has fallen by \(count) since the page before, so items have moved to earlier pages, and this walk "
                + "cannot tell which; make the items Identifiable, collect them before you delete any, or declare "
                + "Paginated(…, totals: .estimated)"
        case .missingItems(let count, let total):
            "the walk has ended with \(count) items, but the total of the server is \(total); if that is an "
                + "estimate, declare Paginated(…, totals: .estimated)"
        case .excessItems(let count, let total):
            "the walk has ended with \(count) items, but the total of the server is \(total), so pages overlap; check "
                + "the first number or offset (startingAt:); if the total is an estimate, declare "
                + "Paginated(…, totals: .estimated)"
        case .foreignOrigin(let origin):
            "the next page is on another origin, \(origin); allow it with Paginated(…, otherOrigins: [\"\(origin)\"])"
        case .tooManyPages(let limit):
            "there are more than the \(limit) pages that Paginated(…, maximumPages:) allows"
        case .invalidLink(let link):
            "the link to the next page is not a URL: \(Redaction.url(text: link, secretNames: .usual))"
        case .unreadable(let reason):
            reason
        case .foreignCursor(let path, let scheme):
            "the cursor was made for \(path) by the scheme \(scheme)"
        case .foreignBody:
            "the cursor was made for a request with another body; send that one, or begin at the first page"
        case .notDeclared:
            "it has no Paginated clause; declare one, such as Paginated(.link())"
        }
    }
}
