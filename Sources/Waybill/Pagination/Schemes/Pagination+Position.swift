extension Paginated.Scheme.Kind {
    /// The first page number, or the first offset, of the whole list; nil for other schemes.
    ///
    /// A walk that starts at a larger number skips the earlier pages.
    package var lowestPosition: Int? {
        switch self {
        case .pageNumber(_, let start, _, _, _): min(start, 1)
        case .offset(_, let start, _, _): start > 1 ? 0 : start
        case .cursor, .after, .links, .next, .custom: nil
        }
    }

    /// The part of a request that contains the page number or the offset; nil for other schemes.
    package var positionTarget: Paginated.Scheme.Target? {
        switch self {
        case .pageNumber(let target, _, _, _, _), .offset(let target, _, _, _): target
        case .cursor, .after, .links, .next, .custom: nil
        }
    }

    /// The unit of the scheme's positions; nil if it has no positions.
    fileprivate var unit: Cursor.Position.Unit? {
        switch self {
        case .pageNumber: .pageNumber
        case .offset: .offset
        case .cursor, .after, .links, .next, .custom: nil
        }
    }

    /// The call that requests a page by position, for error messages; nil if the scheme has no positions.
    package var pageCall: String? {
        switch unit {
        case .pageNumber: "page(at: .page(…))"
        case .offset: "page(at: .offset(…))"
        case .start, nil: nil
        }
    }

    /// The position at which a walk starts if it skips pages; nil if it starts at the first page.
    fileprivate var laterStart: Int? {
        switch self {
        case .pageNumber(_, let start, _, _, _), .offset(_, let start, _, _):
            start == lowestPosition ? nil : start
        case .cursor, .after, .links, .next, .custom: nil
        }
    }
}

extension Paginated.Scheme {
    /// The cursor at which a walk starts if it skips pages; nil if it starts at the first page.
    var start: Cursor? {
        guard let start = kind.laterStart else { return nil }
        return if case .offset = kind { .offset(start) } else { .page(start) }
    }

    /// Returns the cursor with its position resolved for this list; a cursor from a page is returned unchanged.
    ///
    /// - Parameters:
    ///   - cursor: the cursor.
    ///   - declarationErrors: receives an error if the list has no such position.
    /// - Returns: the cursor; a resolved one still lacks the list's path and body.
    func located(_ cursor: Cursor, _ declarationErrors: inout [Scope.DeclarationError]) -> Cursor {
        guard let position = cursor.position else { return cursor }
        func reject(_ reason: String) -> Cursor {
            let count = cursor.size.map { ", size: \($0)" } ?? ""
            let name = position.unit == .pageNumber ? "Cursor.page" : "Cursor.offset"
            declarationErrors.reject(name, "\(position.number)\(count)", because: reason)
            return cursor
        }
        guard let target = kind.positionTarget, let lowest = kind.lowestPosition, kind.unit == position.unit else {
            let wanted = position.unit == .pageNumber ? "page numbers" : "offsets"
            return reject(
                "the list is paged by \(self), which has no \(wanted); "
                    + (kind.pageCall.map { "call \($0)" } ?? "continue from a page: page(at: page.next)")
            )
        }
        guard position.number >= lowest else {
            return reject(
                position.unit == .pageNumber
                    ? "the list numbers its pages from \(lowest); if it begins below, declare the first number with"
                        + " startingAt:"
                    : "the offsets of the list begin at \(lowest); if they begin below, declare the first one with"
                        + " startingAt:"
            )
        }
        if let count = cursor.size {
            guard count > 0 else { return reject("a page has at least one item; give a size of 1 or more, or none") }
            guard size != nil else {
                return reject("\(self) declares no place for a size; declare one, such as size: .query(\"limit\", 50)")
            }
        }
        let pageSize = cursor.size.flatMap { size?.with(count: $0) } ?? size
        let before = position.number.subtractingReportingOverflow(lowest)
        // A server may send fewer items than requested, so only an offset determines how many items precede a page.
        let isCounted = position.unit == .offset && !before.overflow || position.number == lowest
        let itemsBefore = isCounted ? before.partialValue : nil
        let index = position.unit == .offset ? before.partialValue / (pageSize?.count ?? .max) : before.partialValue
        return Cursor(
            scheme: name,
            path: "",
            pageNumber: before.overflow ? .max : min(index, .max - 1) + 1,
            body: nil,
            filters: nil,
            itemsBefore: itemsBefore,
            request: Request(target, at: position.number, size: pageSize),
            repeatsItself: false,
            size: cursor.size
        )
    }
}
