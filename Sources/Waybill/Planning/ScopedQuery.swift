/// The query items of a call: each scope's in the order in which they were declared, nearer ones in place of farther.
struct ScopedQuery {
    private(set) var items: [QueryItem] = []

    init(scopes: [Scope], page: PageRequest?) {
        for scope in scopes where !scope.query.isEmpty {
            remove(names: Set(scope.query.map(\.name)))
            for case .add(let item) in scope.query { items.append(item) }
        }
        guard let page, !page.query.isEmpty else { return }
        remove(names: Set(page.query.fields.map(\.name)))
        items += page.query.fields.map { QueryItem(name: $0.name, value: $0.value) }
    }

    private mutating func remove(names: Set<String>) {
        guard !items.isEmpty else { return }
        // `tag[]` and `tag[0]` are ways to write `tag`.
        let roots = Set(names.map(\.queryRoot))
        items.removeAll { names.contains($0.name) || (roots.contains($0.name.queryRoot) && $0.name.isArrayName) }
    }
}

extension String {
    /// The name without the brackets of an array: `tag` of `tag[]`.
    fileprivate var queryRoot: String { isArrayName ? String(prefix { $0 != "[" }) : self }

    /// Whether it names an element of an array: `tag[]`, `tag[0]`.
    fileprivate var isArrayName: Bool {
        guard hasSuffix("]"), let open = lastIndex(of: "[") else { return false }
        return self[index(after: open)...].dropLast().allSatisfy(\.isNumber)
    }
}
