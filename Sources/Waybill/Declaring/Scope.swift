/// The declarations of a client, a resource, an operation or an endpoint.
///
/// Each call merges its scopes, and inner scopes take precedence over outer ones. A builder accepts a scope in place of
/// individual clauses, so a custom initializer can accept additional clauses:
///
/// ```swift
/// struct Shop: API {
///     let client: Client
///
///     init(_ url: URL, @Scope.Builder clauses: () -> Scope = { Scope() }) {
///         client = Client(url) {
///             Envelope("data")
///             clauses()
///         }
///     }
/// }
/// ```
public struct Scope: Scope.RepeatableClause {
    private var storage: CopyOnWrite<Content>

    private var content: Content {
        _read { yield storage.value }
        _modify { yield &storage.value }
    }

    /// The scope's name in explanations, such as `client`, `resource products` or `endpoint`.
    package var name: String {
        get { content.path.map { "\(content.kind) \(ResolvedPath($0).template)" } ?? content.kind }
        set {
            content.kind = newValue
            content.path = nil
        }
    }

    /// The styles in the scope, each a separate scope around this one.
    package var styles: [Scope] { content.styles }

    /// The route.
    ///
    /// A second route in the same scope is a declaration error.
    package var route: Route? {
        _read { yield content.route }
        _modify { yield &content.route }
    }

    /// Whether the scope belongs to a single endpoint, operation or call, as opposed to a client or a resource.
    package var isForOneCall: Bool {
        get { content.isForOneCall }
        set { content.isForOneCall = newValue }
    }

    /// Whether the scope declares the body's media type other than with a header field.
    package var statesContentType: Bool {
        if body?.statesContentType ?? false { return true }
        return !settings.isEmpty
            && (settings[Body.Format.self]?.syntax != nil || settings[Encode.self]?.statesContentType ?? false)
    }

    /// The changes to the query, in order.
    package var query: [QueryChange] {
        _read { yield content.query }
    }

    /// The changes to the header fields, in order.
    package var headerFields: [HeaderChange] {
        _read { yield content.headerFields }
    }

    /// The body of the request.
    package var body: Body? {
        _read { yield content.body }
        _modify { yield &content.body }
    }

    /// The settings.
    package var settings: Settings {
        _read { yield content.settings }
    }

    /// The scopes declared with ``On`` for specific operations of a resource.
    package var operations: [On.Operation: [Scope]] { content.operations }

    /// The errors in this scope alone, excluding conflicts with other scopes.
    package var declarationErrors: [Scope.DeclarationError] {
        _read { yield content.declarationErrors }
        _modify { yield &content.declarationErrors }
    }

    /// Creates an empty scope.
    public init() { storage = Content.empty }

    package init(_ name: String) { storage = CopyOnWrite(Content(kind: name)) }

    /// Sets the name to a kind and a path: `resource products/{}/reviews`.
    package mutating func setName(_ kind: String, _ path: Route.Path) {
        content.kind = kind
        content.path = path
    }

    /// Declares a setting.
    ///
    /// A second setting of the same type is a declaration error unless the type's `accumulates` is `true`.
    ///
    /// - Parameter setting: the setting.
    public mutating func declare<Value: Setting>(_ setting: Value) {
        if !Value.accumulates, let earlier = settings[Value.self] {
            let advice = (setting as? any CombinableSetting)?.adviceToCombine(withAny: earlier)
            declare(
                Scope.DeclarationError(
                    clause: Value.clauseName,
                    value: setting.summary,
                    reason: "the same scope declares it twice; \(advice ?? "keep one")"
                )
            )
        }
        content.settings.add(setting)
    }

    /// Adds a declaration error.
    ///
    /// Requests that use the scope fail with an error that lists it, and nothing is sent.
    ///
    /// - Parameter declarationError: the error.
    public mutating func declare(_ declarationError: Scope.DeclarationError) {
        content.declarationErrors.append(declarationError)
    }

    /// Declares the route.
    ///
    /// Declaring a second route compiles only if a builder contains a scope built elsewhere.
    package mutating func declareRoute(_ route: Route) {
        if self.route != nil {
            declare(
                Scope.DeclarationError(
                    clause: "Route",
                    value: "",
                    reason: "an endpoint has one method and one path; keep one"
                )
            )
        }
        self.route = route
    }

    /// Declares the body.
    ///
    /// Declaring a second body compiles only if a builder contains a scope built elsewhere.
    package mutating func declareBody(_ body: Body) {
        if self.body != nil {
            declare(Scope.DeclarationError(clause: "Body", value: "", reason: "a request has one; keep one"))
        }
        self.body = body
    }

    /// Adds a declaration error if the scope has a route or a body, which belong in an endpoint.
    package mutating func rejectRouteAndBody() {
        if route != nil || body != nil {
            let clause = route == nil ? "Body" : "Route"
            declare(
                Scope.DeclarationError(
                    clause: clause,
                    value: "",
                    reason: "it belongs in an endpoint, not in the scope \(name)"
                )
            )
        }
    }

    /// Adds a declaration error if the scope has `On` clauses, which belong in a resource or a client.
    package mutating func rejectOperations() {
        if !operations.isEmpty {
            declare(
                Scope.DeclarationError(
                    clause: "On",
                    value: "",
                    reason: "it belongs in a resource or a client, not in a call"
                )
            )
        }
    }

    package mutating func declare(_ changes: [QueryChange]) { Self.append(changes, to: &content.query) }

    package mutating func declare(_ change: HeaderChange) { content.headerFields.append(change) }

    package mutating func declare(_ style: Scope) { content.styles.append(style) }

    package mutating func declare(_ scope: Scope, for operation: On.Operation) {
        content.operations[operation, default: []].append(scope)
    }

    /// Appends elements.
    ///
    /// If the array is empty, the new elements' storage is shared instead of copied.
    private static func append<Element>(_ new: [Element], to elements: inout [Element]) {
        if elements.isEmpty { elements = new } else { elements += new }
    }

    /// Adds this scope's declarations to another scope.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { scope.add(self) }

    /// Adds the declarations of another part of the same scope.
    package mutating func add(_ other: Scope) {
        Self.append(other.styles, to: &content.styles)
        Self.append(other.query, to: &content.query)
        Self.append(other.headerFields, to: &content.headerFields)
        Self.append(other.declarationErrors, to: &content.declarationErrors)
        if let route = other.route { declareRoute(route) }
        if let body = other.body { declareBody(body) }
        for setting in other.settings.all { declare(setting) }
        for (operation, scopes) in other.operations { content.operations[operation, default: []] += scopes }
    }

    /// The scope's styles and the scope itself, outermost first.
    package var flattened: [Scope] {
        var scopes: [Scope] = []
        appendFlattened(to: &scopes)
        return scopes
    }

    /// Returns the scope for a call's follow-up requests, without the route and the body.
    ///
    /// - Parameters:
    ///   - types: the types of the settings to remove.
    ///   - isRemoved: returns whether to remove header fields with the given name.
    /// - Returns: the scope.
    package func ofFurtherRequests(
        without types: [any Setting.Type],
        removing isRemoved: (HTTPField.Name) -> Bool
    ) -> Scope {
        var scope = self
        scope.content.route = nil
        scope.content.body = nil
        scope.content.headerFields.removeAll { isRemoved($0.name) }
        scope.content.settings = settings.removing(types)
        return scope
    }

    /// Returns the scope with a query value replaced, including in its styles and operations.
    ///
    /// - Parameters:
    ///   - old: the complete value of a query item, not percent-encoded.
    ///   - new: the replacement, not percent-encoded.
    /// - Returns: the scope.
    package func replacing(queryValue old: String, by new: String) -> Scope {
        var scope = self
        scope.content.query = query.map { change in
            guard case .add(let item) = change, item.pieces == [old] else { return change }
            let replaced = QueryItem(
                name: item.name,
                value: new,
                isSecret: item.isSecret,
                declared: item.declared,
                arrayStyle: item.arrayStyle
            )
            return .add(replaced)
        }
        scope.content.styles = styles.map { $0.replacing(queryValue: old, by: new) }
        scope.content.operations = operations.mapValues { $0.map { $0.replacing(queryValue: old, by: new) } }
        return scope
    }

    /// Appends the scope's styles, then the scope itself.
    package func appendFlattened(to scopes: inout [Scope]) {
        for style in styles { style.appendFlattened(to: &scopes) }
        scopes.append(self)
    }

    /// Returns the scopes for an operation, outermost first; an empty array if nothing is declared for it.
    package func scopes(for operation: On.Operation) -> [Scope] {
        if styles.isEmpty, operations.isEmpty { return [] }
        return flattened.flatMap { scope in (scope.operations[operation] ?? []).flatMap(\.flattened) }
    }
}

extension Scope {
    /// The content of a scope, shared between copies because scopes are passed from clause to clause and stored in each
    /// endpoint.
    private struct Content {
        // The name is composed only on access, because resources are redeclared for each call.
        var kind = ""
        var path: Route.Path?
        var styles: [Scope] = []
        var route: Route?
        var isForOneCall = false
        var query: [QueryChange] = []
        var headerFields: [HeaderChange] = []
        var body: Body?
        var settings = Settings()
        var operations: [On.Operation: [Scope]] = [:]
        var declarationErrors: [Scope.DeclarationError] = []

        static let empty = CopyOnWrite(Content())
    }
}

extension Scope: CustomStringConvertible, CustomReflectable {
    /// The scope's name only, because the clauses may contain secrets.
    public var description: String { "scope \(name)" }

    /// The name and the settings only, because other clauses may contain secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "settings": settings], displayStyle: .struct)
    }
}

/// A change to a query: an item to add or a name to remove.
package enum QueryChange: Sendable {
    case add(QueryItem)
    case remove(name: String)

    /// The name to add or remove.
    package var name: String {
        switch self {
        case .add(let item): item.name
        case .remove(let name): name
        }
    }
}

/// A change to header fields: a field to add or a name to remove.
package enum HeaderChange: Sendable {
    case add(HTTPField, isSecret: Bool)
    /// A field whose value is read for each call; if the value is nil, no field is added.
    case read(HTTPField.Name, isSecret: Bool, value: @Sendable () -> String?)
    case remove(HTTPField.Name)

    /// The name to add or remove.
    package var name: HTTPField.Name {
        switch self {
        case .add(let field, _): field.name
        case .read(let name, _, _): name
        case .remove(let name): name
        }
    }

    /// The field with its current value; nil if it has no value or is removed.
    package var field: HTTPField? {
        switch self {
        case .add(let field, _): field
        case .read(let name, _, let value): value().map { HTTPField(name: name, value: $0) }
        case .remove: nil
        }
    }

    /// Whether the value is redacted in errors, events and logs.
    package var isSecret: Bool {
        switch self {
        case .add(_, let isSecret), .read(_, let isSecret, _): isSecret
        case .remove: false
        }
    }
}
