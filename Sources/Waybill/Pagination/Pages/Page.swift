/// One page of a list.
public struct Page<Element: Sendable>: Sendable {
    /// The items on the page, in order.
    public let items: [Element]

    /// The number of the page, counted from 1 along the walk.
    public let number: Int

    /// The cursor of the next page: for `page(after:)`, now or in another process.
    ///
    /// Nil after the last page.
    public let next: Cursor?

    /// The cursor of the page before: for `page(before:)`.
    ///
    /// Nil before the first page, and if the scheme cannot go back.
    public let previous: Cursor?

    /// The number of items in all, if the server states it.
    public let total: Int?

    /// The whole response: head, metadata, bytes, dropped items.
    public let response: Response<[Element]>

    /// The plan of its request, for errors about the pages that follow it.
    let plan: Plan

    /// The declared flags and counts that the page does not have.
    let missing: [Paginated.Scheme.Place]

    /// Whether there is a next page.
    public var hasMore: Bool { next != nil }
}

extension Page: CustomStringConvertible, CustomReflectable {
    /// The page's number, how much there is, and the items.
    public var description: String {
        let total = total.map { " of \($0)" } ?? ""
        return "page \(number), \(items.count)\(total) items\(hasMore ? " and more" : ""): \(items)"
    }

    /// The parts of the page, secrets redacted; the items as they are.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "items": items, "number": number, "next": next as Any, "previous": previous as Any,
                "total": total as Any, "response": response,
            ],
            displayStyle: .struct
        )
    }
}
