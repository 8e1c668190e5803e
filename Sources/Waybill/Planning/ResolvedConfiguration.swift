/// The result of merging scopes, from the outermost to the innermost.
///
/// A client's scopes are merged once; each call continues from the result.
package struct ResolvedConfiguration: Sendable {
    /// The settings.
    package private(set) var settings = Scope.Settings()

    /// The query items, in declaration order within each scope; inner items replace outer ones with the same name.
    package private(set) var query: [QueryItem] = []

    /// The header fields; inner fields replace outer ones with the same name.
    package private(set) var headerFields = HTTPFields()

    /// Whether the content type in effect is declared for a single endpoint, operation or call.
    package private(set) var declaresContentTypeForCall = false

    /// The names whose values are secret.
    package private(set) var secretNames = SecretNameSet.usual

    /// The innermost method.
    package private(set) var method: HTTPRequest.Method?

    /// The target of the innermost route that has one.
    package private(set) var target: Route.Target?

    /// The query items that select a later page, replacing those in a URL from the server.
    package private(set) var itemsInURL: [Paginated.Scheme.Fields.Field] = []

    /// The innermost body.
    package private(set) var body: Body?

    /// The declaration errors in the scopes, and those found while merging them.
    package private(set) var declarationErrors: [Scope.DeclarationError] = []

    // Whether to include dynamic header fields, which are read for each call.
    private var readsFields: Bool

    /// Merges scopes.
    ///
    /// - Parameters:
    ///   - scopes: the scopes, outermost first.
    ///   - readsFields: whether to include dynamic header fields, which are read for each call.
    package init(_ scopes: [Scope] = [], readsFields: Bool = true) {
        self.readsFields = readsFields
        for scope in scopes { merge(scope) }
    }

    // The names of the query items declared in the pagination's scope or an inner one. An item with the name of the
    // page size item overrides the scheme's page size.
    private var namesSincePaging: Set<BytewiseString> = []

    // The paths of the body members declared in these scopes.
    private var membersSincePaging: [[EnvelopeKey]] = []

    // Whether a body is declared in these scopes.
    private var hasBodySincePaging = false

    // Whether the call specifies the page size, which then overrides a declared one.
    private var pageGivesSize = false

    /// Starts including the dynamic header fields of scopes merged after this call.
    fileprivate mutating func beginReadingFields() { readsFields = true }

    /// Merges an inner scope.
    package mutating func merge(_ scope: Scope) {
        if !scope.settings.isEmpty { merge(scope.settings) }
        if !scope.query.isEmpty, settings[Paginated.self] != nil {
            namesSincePaging.formUnion(scope.query.map { BytewiseString($0.name) })
        }
        if !scope.declarationErrors.isEmpty { declarationErrors += scope.declarationErrors }
        if let route = scope.route {
            method = route.method ?? method
            if case .unchanged = route.target {} else { target = route.target }
            if case .url(let url) = route.target { keepQueryOnlyWhere(urlLacks: url) }
        }
        if let inner = scope.body {
            body = inner
            hasBodySincePaging = settings[Paginated.self] != nil
        }
        // A body that specifies its media type overrides the content type declared for bodies by an outer scope.
        if scope.statesContentType { headerFields.removeAll(named: .contentType) }
        if !scope.query.isEmpty { merge(query: scope.query) }
        if !scope.headerFields.isEmpty {
            if scope.headerFields.contains(where: { $0.name == .contentType }) {
                declaresContentTypeForCall = scope.isForOneCall
            }
            merge(headerFields: scope.headerFields)
        }
        resolveCredential(scope)
    }

    /// Removes the query items of outer scopes for a route that is a URL from the server, because that URL is complete.
    ///
    /// Secret items that the URL lacks are kept, because only the client has them. The same applies to links to pages.
    private mutating func keepQueryOnlyWhere(urlLacks url: String) {
        if query.isEmpty { return }
        let present = URLQueryNames(of: url)
        query.removeAll { item in
            !(item.isSecret || secretNames.contains(item.name)) || present.contains(item.name)
        }
    }

    /// Resolves a conflict between a credential and a declared header field of the same name: the inner scope wins.
    private mutating func resolveCredential(_ scope: Scope) {
        if scope.settings.isEmpty, scope.headerFields.isEmpty { return }
        // Runs for each scope of each call, so it avoids building a list of names.
        for credential in settings[Authorization.self]?.credentials ?? [] {
            if let name = credential.fieldName { resolveCredential(in: name, scope) }
        }
    }

    private mutating func resolveCredential(in name: HTTPField.Name, _ scope: Scope) {
        var (declaresField, removesField) = (false, false)
        for change in scope.headerFields where change.name == name {
            if case .remove = change { removesField = true } else { declaresField = true }
        }
        let declaresCredential = scope.settings[Authorization.self] != nil
        if declaresField, declaresCredential {
            declarationErrors.reject(
                "Header",
                "\"\(name)\"",
                because: "the same scope declares a credential for this field, with Authorization; keep one of the two"
            )
        } else if (declaresField || removesField) && !declaresCredential {
            if let left = settings[Authorization.self]?.removing(name) { settings.replace(with: left) }
        } else if declaresCredential {
            headerFields.removeAll(named: name)
        }
    }

    private mutating func merge(_ inner: Scope.Settings) {
        if inner[Paginated.self] != nil { (namesSincePaging, membersSincePaging, hasBodySincePaging) = ([], [], false) }
        if let success = inner[Success.self], let problems = settings[ProblemRules.self] {
            let outer = settings[Success.self]?.statuses ?? .success
            settings.replace(with: problems.below(success: success.statuses, insteadOf: outer))
        }
        settings.merge(inner)
        if let members = inner[BodyMembers.self]?.members, settings[Paginated.self] != nil {
            membersSincePaging += members.map(\.path)
        }
        if let declared = inner[SecretNames.self] { secretNames.formUnion(declared.names) }
        for credential in inner[Authorization.self]?.credentials ?? [] {
            if let name = credential.secretName { secretNames.insert(name) }
        }
    }

    /// Whether the pagination's scope or an inner one sets the page size in the body; false if the call specifies the
    /// size.
    func hasPageSize(at path: [EnvelopeKey], in document: JSONValue) -> Bool {
        if pageGivesSize { return false }
        if membersSincePaging.contains(path) { return true }
        return hasBodySincePaging && document.value(at: path).map { !$0.isNull } ?? false
    }

    /// Merges the request for a page.
    ///
    /// If the route is a URL from the server, that URL is the first page. For later pages, its position is replaced,
    /// and its page size is kept unless the call specifies one.
    ///
    /// - Parameters:
    ///   - page: the additions to the request that select the page.
    ///   - givesSize: whether the call specifies the page size.
    ///   - isFirst: whether this is the first page, which is requested without a cursor.
    package mutating func merge(_ page: Paginated.Scheme.Request, givesSize: Bool, isFirst: Bool) {
        pageGivesSize = givesSize
        let size = settings[Paginated.self]?.scheme?.size.map { BytewiseString($0.name) }
        if case .url = target {
            itemsInURL = isFirst ? [] : page.query.fields.filter { givesSize || BytewiseString($0.name) != size }
            let names = Set(itemsInURL.map { BytewiseString($0.name) })
            query.removeAll { names.contains(BytewiseString($0.name)) }
        } else {
            rejectReplacedPosition()
            let fields = page.query.fields.filter { field in
                let name = BytewiseString(field.name)
                return givesSize || name != size || !namesSincePaging.contains(name)
            }
            merge(query: fields.map { .add(QueryItem(name: $0.name, value: $0.value)) })
        }
        merge(
            headerFields: page.headerFields.fields.compactMap { token in
                guard let name = HTTPField.Name(token.name), HTTPField.isValid(value: token.value)
                else {
                    declarationErrors.reject(
                        "Paginated",
                        "\"\(token.name)\"",
                        because: "the page's token cannot be the value of a header field"
                    )
                    return nil
                }
                return .add(HTTPField(name: name, value: token.value), isSecret: false)
            }
        )
    }

    /// Rejects a declared page number or offset, because the page's value would replace it and select a different page.
    private mutating func rejectReplacedPosition() {
        guard let scheme = settings[Paginated.self]?.scheme, let pageCall = scheme.kind.pageCall else { return }
        switch scheme.kind.positionTarget?.place {
        case .query(let name)?:
            for item in query where item.name.hasSameBytes(as: name) || item.name.isElement(ofArray: name) {
                let isSecret = item.isSecret || secretNames.contains(item.name)
                let value = item.pieces.map { ", \(isSecret ? Redaction.mark : $0.joined(separator: ","))" } ?? ""
                declarationErrors.reject(
                    "Query",
                    "\"\(item.name)\"\(value)",
                    because: Self.replaced(by: scheme, pageCall)
                )
            }
        case .field(let name)?:
            guard let field = HTTPField.Name(name), headerFields.contains(field) else { return }
            declarationErrors.reject("Header", "\"\(name)\"", because: Self.replaced(by: scheme, pageCall))
        case .body?, nil: break
        }
    }

    /// Returns the reason for rejecting a declared page number or offset.
    static func replaced(by scheme: Paginated.Scheme, _ pageCall: String) -> String {
        "Paginated(\(scheme)) sets it for each page, so this value would never be sent; leave it out, and request a page"
            + " by its position with \(pageCall)"
    }

    /// Replaces the placeholders in query items with the operation's id.
    ///
    /// - Returns: a declaration error for each such item if the operation's id is missing or empty.
    package mutating func replaceID(with operationID: OperationID?) -> [Scope.DeclarationError] {
        guard query.indices.contains(where: { query[$0].standsForID }) else { return [] }
        var declarationErrors: [Scope.DeclarationError] = []
        query = query.map { item in
            guard item.standsForID else { return item }
            guard let id = operationID, !id.segment.isEmpty else {
                declarationErrors.reject(
                    "Query",
                    "\"\(item.name)\", .id",
                    because: operationID == nil
                        ? "the call has no id; declare the clause for operations that have one: On(.read) { … }"
                        : "the id is empty"
                )
                return item
            }
            return QueryItem(name: item.name, value: id.segment, declared: id.declared)
        }
        return declarationErrors
    }

    /// Encodes the JSON values of query items with the encoder in scope.
    ///
    /// - Returns: a declaration error for each value that cannot be encoded.
    package mutating func writeQueryJSON() -> [Scope.DeclarationError] {
        guard query.indices.contains(where: { query[$0].json != nil }) else { return [] }
        let declared = settings[Encode.self]?.encoder ?? JSONDefaults.requestEncoder
        let encoder = MediaType(declared.contentType).isJSON ? declared : JSONDefaults.requestEncoder
        var declarationErrors: [Scope.DeclarationError] = []
        query = query.map { item in
            do {
                return try item.written(by: encoder)
            } catch {
                declarationErrors.reject(
                    "Query",
                    "\"\(item.name)\", json: \(item.json.map { "\(type(of: $0.value))" } ?? "")",
                    because: EncodingReason.text(of: error)
                )
                return item
            }
        }
        return declarationErrors
    }

    private mutating func merge(query changes: [QueryChange]) {
        if changes.isEmpty { return }
        if !query.isEmpty {
            // `tag[]` and `tag[0]` are alternative spellings of `tag`.
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

    private mutating func merge(headerFields changes: [HeaderChange]) {
        // Checked first, because usually no outer scope declares a field with one of these names.
        let replaces = headerFields.containsName(where: { name in changes.contains { $0.name == name } })
        if replaces { headerFields.removeAll { field in changes.contains { $0.name == field.name } } }
        for change in changes {
            switch change {
            case .add(let field, let isSecret): add(field, isSecret: isSecret)
            case .read(let name, let isSecret, let value):
                if isSecret { secretNames.insert(name.rawName) }
                guard readsFields, let text = value() else { continue }
                guard HTTPField.isValid(value: text) else {
                    declarationErrors.append(.invalidFieldValue(of: name))
                    continue
                }
                add(HTTPField(name: name, value: text), isSecret: isSecret)
            case .remove: break
            }
        }
    }

    private mutating func add(_ field: HTTPField, isSecret: Bool) {
        var field = field
        field.isSensitive = isSecret
        headerFields.append(field)
        if isSecret { secretNames.insert(field.name.rawName) }
    }
}

extension String {
    /// The name without array brackets: `tag` for `tag[]`.
    fileprivate var queryRoot: String { isArrayName ? String(prefix { $0 != "[" }) : self }

    /// Whether this is the name of an element of the given array: `tag[]` for `tag`.
    fileprivate func isElement(ofArray name: String) -> Bool { isArrayName && queryRoot.hasSameBytes(as: name) }

    /// Whether this is the name of an array element, such as `tag[]` or `tag[0]`.
    fileprivate var isArrayName: Bool {
        guard utf8.last == UInt8(ascii: "]"), let open = utf8.lastIndex(of: UInt8(ascii: "[")) else { return false }
        return utf8[utf8.index(after: open)...].dropLast().allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// A client's base URL and scopes, merged once for all calls.
///
/// A class, because each call's builder stores a reference to it.
package final class ClientScopes: Sendable {
    /// The base URL.
    package let base: BaseURL

    /// The scopes, outermost first.
    package let scopes: [Scope]

    /// The merged scopes, without dynamic header fields.
    package let configuration: ResolvedConfiguration

    private let hasReadFields: Bool

    /// A closure that returns 64 random bits, for values generated by a plan.
    package let randomBits: @Sendable () -> UInt64

    package init(base: BaseURL, scopes: [Scope], randomBits: @escaping @Sendable () -> UInt64) {
        self.base = base
        self.scopes = scopes
        self.randomBits = randomBits
        configuration = ResolvedConfiguration(scopes, readsFields: false)
        hasReadFields = scopes.contains { scope in
            scope.headerFields.contains { if case .read = $0 { true } else { false } }
        }
    }

    /// Returns the merged scopes for a call, with the current values of dynamic header fields.
    package func configurationOfCall() -> ResolvedConfiguration {
        if hasReadFields { return ResolvedConfiguration(scopes) }
        var configuration = configuration
        configuration.beginReadingFields()
        return configuration
    }
}
