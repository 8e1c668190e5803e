/// What scopes come to when they are laid over each other, farthest first.
///
/// A client lays its own once; each call goes on from there.
package struct Resolution: Sendable {
    /// The settings.
    package private(set) var settings = CallSettings()

    /// The query items: each scope's in the order in which they were declared, nearer ones in place of farther.
    package private(set) var query: [QueryItem] = []

    /// The header fields, likewise.
    package private(set) var headerFields = HTTPFields()

    /// The names whose values are secret.
    package private(set) var secretNames = SecretNameSet.usual

    /// The nearest method.
    package private(set) var method: HTTPRequest.Method?

    /// Where the nearest route that has a target leads.
    package private(set) var target: Route.Target?

    /// The nearest body.
    package private(set) var body: Body?

    /// What is wrong with the scopes, each by itself.
    package private(set) var mistakes: [Mistake] = []

    package init(_ scopes: [Scope] = []) {
        for scope in scopes { lay(scope) }
    }

    // The query items as near as the paging, or nearer: they take the place of the paging's own page size.
    private var namesSincePaging: Set<BytewiseString> = []

    /// Lays a nearer scope over what is there.
    package mutating func lay(_ scope: Scope) {
        if scope.settings[Paginated.self] != nil { namesSincePaging = [] }
        if settings[Paginated.self] != nil || scope.settings[Paginated.self] != nil {
            namesSincePaging.formUnion(scope.query.map { BytewiseString($0.name) })
        }
        mistakes += scope.mistakes
        settings.lay(scope.settings)
        if let declared = scope.settings[SecretNames.self] { secretNames.formUnion(declared.names) }
        if let name = scope.settings[Authorization.self]?.credential?.secretName { secretNames.insert(name) }
        if let route = scope.route {
            method = route.method ?? method
            if case .unchanged = route.target {} else { target = route.target }
        }
        if let nearer = scope.body {
            body = nearer
            // What a farther scope says of bodies in general does not hold for one that says what it is.
            if nearer.statesContentType { headerFields.removeAll(named: .contentType) }
        }
        lay(query: scope.query)
        lay(headerFields: scope.headerFields)
    }

    /// Lays what the request for a page has over what is there.
    package mutating func lay(_ page: PageRequest) {
        let size = settings[Paginated.self]?.scheme.sizeName.map(BytewiseString.init)
        let fields = page.query.fields.filter { field in
            let name = BytewiseString(field.name)
            return name != size || !namesSincePaging.contains(name)
        }
        lay(query: fields.map { .add(QueryItem(name: $0.name, value: $0.value)) })
        lay(
            headerFields: page.headerFields.fields.compactMap { token in
                guard let name = HTTPField.Name(token.name), let field = HTTPField(name: name, value: token.value)
                else {
                    mistakes.append(
                        Mistake(
                            clause: "Paginated",
                            value: "\"\(token.name)\"",
                            reason: "the page's token cannot be the value of a header field"
                        )
                    )
                    return nil
                }
                return .add(field, isSecret: false)
            }
        )
    }

    private mutating func lay(query changes: [QueryChange]) {
        if changes.isEmpty { return }
        if !query.isEmpty {
            // `tag[]` and `tag[0]` are ways to write `tag`.
            let roots = Set(changes.map { BytewiseString($0.name.queryRoot) })
            let names = Set(changes.map { BytewiseString($0.name) })
            query.removeAll { item in
                names.contains(BytewiseString(item.name))
                    || (item.name.isArrayName && roots.contains(BytewiseString(item.name.queryRoot)))
            }
        }
        for case .add(let item) in changes {
            query.append(item)
            if item.isSecret { secretNames.insert(item.name) }
        }
    }

    private mutating func lay(headerFields changes: [HeaderChange]) {
        if changes.isEmpty { return }
        if !headerFields.isEmpty {
            headerFields.removeAll { field in changes.contains { $0.name == field.name } }
        }
        for case .add(let field, let isSecret) in changes {
            headerFields.append(field)
            if isSecret { secretNames.insert(field.name.rawName) }
        }
    }
}

extension String {
    /// The name without the brackets of an array: `tag` of `tag[]`.
    fileprivate var queryRoot: String { isArrayName ? String(prefix { $0 != "[" }) : self }

    /// Whether it names an element of an array: `tag[]`, `tag[0]`.
    fileprivate var isArrayName: Bool {
        guard utf8.last == UInt8(ascii: "]"), let open = utf8.lastIndex(of: UInt8(ascii: "[")) else { return false }
        return utf8[utf8.index(after: open)...].dropLast().allSatisfy { (0x30...0x39).contains($0) }
    }
}
