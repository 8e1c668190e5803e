/// A walk from page to page, with the cursors that it has seen.
struct PageWalk<Element: Sendable>: Sendable {
    private let fetch: Pages<Element>.Fetch
    private let rules: PageWalkRules
    private var state: PageTrail.Next
    private var trail: PageTrail
    private var last: Page<Element>?

    init(start: Cursor?, rules: PageWalkRules, fetch: @escaping Pages<Element>.Fetch) {
        self.fetch = fetch
        self.rules = rules
        state = .page(start)
        trail = PageTrail(start: start, rules: rules)
    }

    mutating func next() async throws(APIError) -> Page<Element>? {
        let state = state
        self.state = .end
        switch state {
        case .end: return nil
        case .failure(let error): throw error
        case .page(let cursor):
            let page = try await fetch(cursor)
            if rules.repeats != .items, let last, page.repeatsItems(of: last) {
                throw page.step.failure(.repeatedItems, cursor)
            }
            last = page
            self.state = trail.following(page.step)
            return page
        }
    }
}

extension Page {
    /// The facts about the page that a walk uses.
    fileprivate var step: PageTrail.Step {
        PageTrail.Step(
            next: next,
            total: total,
            missing: missing,
            itemCount: items.count + response.droppedItems.count,
            plan: plan,
            url: response.url,
            secrets: response.secrets ?? plan.secrets,
            status: response.status
        )
    }

    /// Whether a page has the items of the one before: by their ids, or if they have none, by the bytes of the body.
    fileprivate func repeatsItems(of other: Page) -> Bool {
        guard !items.isEmpty, items.count == other.items.count else { return false }
        if let type = Element.self as? any Identifiable.Type { return Self.haveSameIDs(type, items, other.items) }
        return response.body == other.response.body
    }

    private static func haveSameIDs<Item: Identifiable>(_ type: Item.Type, _ left: Any, _ right: Any) -> Bool {
        guard let left = left as? [Item], let right = right as? [Item] else { return false }
        return left.elementsEqual(right) { $0.id == $1.id }
    }
}
