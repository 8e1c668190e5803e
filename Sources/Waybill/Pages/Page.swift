/// One page of a list.
public struct Page<Element: Sendable>: Sendable {
    /// The items on the page, in order.
    public let items: [Element]

    /// Which page it is, counted from 1 along the way that was walked.
    public let number: Int

    /// Where the next page is: for `page(after:)`, now or in another process.
    ///
    /// Nil behind the last page.
    public let next: Cursor?

    /// Where the page before is: for `page(before:)`.
    ///
    /// Nil before the first page, and where the scheme cannot go back.
    public let previous: Cursor?

    /// How many items there are in all, where the server says.
    public let total: Int?

    /// The whole response: head, metadata, bytes, dropped items.
    public let response: Response<[Element]>

    /// What was asked for it, for errors about what follows it.
    let plan: Plan

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
