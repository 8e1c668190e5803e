/// What is declared in one place: on the client, a resource, an operation or an endpoint.
///
/// Clauses write into it; the planner lays the scopes of a call over each other, the nearest on top. A scope can stand
/// in a builder itself, as if its clauses stood there: so an initializer of an app's own takes further clauses.
///
/// ```swift
/// init(_ url: URL, @ScopeBuilder clauses: () -> Scope = { Scope() }) {
///     client = Client(url) {
///         Envelope("data")
///         clauses()
///     }
/// }
/// ```
public struct Scope: RepeatableClause {
    /// What the scope is called in an explanation: `client`, `resource products`, `endpoint`.
    package var name: String {
        get { path.map { "\(kind) \(ResolvedPath($0).template)" } ?? kind }
        set {
            kind = newValue
            path = nil
        }
    }

    // The name is put together only when somebody asks: resources are declared afresh for each call.
    private var kind: String
    private var path: RequestPath?

    /// The bundles of clauses that stand in the scope; each is a scope of its own, farther away than this one.
    package private(set) var styles: [Scope] = []

    /// The route; of a scope's two the second is a mistake, which does not compile.
    package var route: Route?

    /// The query items, in order.
    package private(set) var query: [QueryChange] = []

    /// The header fields, in order.
    package private(set) var headerFields: [HeaderChange] = []

    /// The body of the request.
    package var body: Body?

    /// The settings.
    package private(set) var settings = CallSettings()

    /// What is declared for single operations of resources.
    package private(set) var operations: [ResourceOperation: [Scope]] = [:]

    /// What cannot be right, whatever the other scopes say.
    package private(set) var mistakes: [Mistake] = []

    /// Creates an empty scope.
    public init() { self.init("") }

    package init(_ name: String) { kind = name }

    /// Names the scope by what it is and its path: `resource products/{}/reviews`.
    package mutating func setName(_ kind: String, _ path: RequestPath) {
        self.kind = kind
        self.path = path
    }

    /// Declares a setting; a second one of a type is a mistake, unless settings of that type accumulate.
    public mutating func declare<Value: Setting>(_ setting: Value) {
        if !Value.accumulates, settings[Value.self] != nil {
            declare(
                Mistake(
                    clause: "\(Value.self)",
                    value: setting.summary,
                    reason: "the same scope declares it twice; keep one"
                )
            )
        }
        settings.add(setting)
    }

    /// Declares that the scope is wrong: no request of it is sent, and the error lists the mistake.
    public mutating func declare(_ mistake: Mistake) { mistakes.append(mistake) }

    /// Declares the route.
    ///
    /// A second one compiles only where a scope that was built elsewhere stands in a builder.
    package mutating func declareRoute(_ route: Route) {
        if self.route != nil {
            declare(Mistake(clause: "Route", value: "", reason: "an endpoint has one method and one path; keep one"))
        }
        self.route = route
    }

    /// Declares the body.
    ///
    /// A second one compiles only where a scope that was built elsewhere stands in a builder.
    package mutating func declareBody(_ body: Body) {
        if self.body != nil {
            declare(Mistake(clause: "Body", value: "", reason: "a request has one; keep one"))
        }
        self.body = body
    }

    /// Declares a mistake where the scope has what belongs into an endpoint.
    package mutating func refuseRouteAndBody() {
        if route != nil || body != nil {
            let clause = route == nil ? "Body" : "Route"
            declare(
                Mistake(clause: clause, value: "", reason: "it belongs into an endpoint, not into the scope \(name)")
            )
        }
    }

    /// Declares a mistake where the scope has what belongs into a resource.
    package mutating func refuseOperations() {
        if !operations.isEmpty {
            declare(Mistake(clause: "On", value: "", reason: "it belongs into a resource or a client, not into a call"))
        }
    }

    package mutating func declare(_ change: QueryChange) { query.append(change) }

    package mutating func declare(_ change: HeaderChange) { headerFields.append(change) }

    package mutating func declare(_ style: Scope) { styles.append(style) }

    package mutating func declare(_ scope: Scope, for operation: ResourceOperation) {
        operations[operation, default: []].append(scope)
    }

    /// Declares what this scope has in another one.
    public func declare(in scope: inout Scope) { scope.add(self) }

    /// Adds what another part of the same scope declares.
    package mutating func add(_ other: Scope) {
        styles += other.styles
        query += other.query
        headerFields += other.headerFields
        mistakes += other.mistakes
        if let route = other.route { declareRoute(route) }
        if let body = other.body { declareBody(body) }
        for setting in other.settings.all { declare(setting) }
        for (operation, scopes) in other.operations { operations[operation, default: []] += scopes }
    }

    /// The scope and its styles, farthest first.
    package var flattened: [Scope] {
        var scopes: [Scope] = []
        appendFlattened(to: &scopes)
        return scopes
    }

    /// Appends the scope's styles and then the scope.
    package func appendFlattened(to scopes: inout [Scope]) {
        for style in styles { style.appendFlattened(to: &scopes) }
        scopes.append(self)
    }

    /// What the scope declares for an operation, farthest first; nothing where it declares nothing for it.
    package func scopes(for operation: ResourceOperation) -> [Scope] {
        if styles.isEmpty, operations.isEmpty { return [] }
        return flattened.flatMap { scope in (scope.operations[operation] ?? []).flatMap(\.flattened) }
    }
}

extension Scope: CustomStringConvertible, CustomReflectable {
    /// The scope's name; nothing of what is declared, which may be secret.
    public var description: String { "scope \(name)" }

    /// The name and the settings; nothing else of what is declared, which may be secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "settings": settings], displayStyle: .struct)
    }
}

/// A step of a query: an item to add, or a name to remove.
package enum QueryChange: Sendable {
    case add(QueryItem)
    case remove(name: String)

    /// The name it is about.
    package var name: String {
        switch self {
        case .add(let item): item.name
        case .remove(let name): name
        }
    }
}

/// A step of the header fields: a field to add, or a name to remove.
package enum HeaderChange: Sendable {
    case add(HTTPField, isSecret: Bool)
    case remove(HTTPField.Name)

    /// The name it is about.
    package var name: HTTPField.Name {
        switch self {
        case .add(let field, _): field.name
        case .remove(let name): name
        }
    }
}
