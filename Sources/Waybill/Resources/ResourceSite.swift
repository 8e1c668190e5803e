/// Where a resource is and what is declared for it; makes the endpoints of its operations.
struct ResourceSite: Sendable {
    let client: Client
    let path: RequestPath
    let scope: Scope

    /// What is declared where a call is made, farthest first.
    private var callScopes: [Scope] = []

    init(client: Client, path: RequestPath, scope: Scope) {
        self.client = client
        self.path = path
        self.scope = scope
    }

    /// The same site with clauses that are nearer than all others.
    func with(_ clauses: Scope) -> ResourceSite {
        var site = self
        site.callScopes += Scope.call(clauses)
        return site
    }

    /// The endpoint of an operation: its default request, and over it what the client and the resource declare, each
    /// for all operations and for this one.
    func endpoint<Value: Sendable>(
        _ operation: ResourceOperation,
        _ method: HTTPRequest.Method,
        id: String? = nil,
        body: Body? = nil,
        _ reader: ValueReader<Value>
    ) -> Endpoint<Value> {
        var request = Scope("operation \(operation.rawValue)")
        request.route = Route(method, .path(id.map { path.item($0) } ?? path))
        request.body = body
        var scopes: [Scope] = []
        scopes.reserveCapacity(3 + scope.styles.count + callScopes.count)
        scopes.append(request)
        scopes += client.scope.scopes(for: operation)
        scope.appendFlattened(to: &scopes)
        scopes += scope.scopes(for: operation)
        scopes += callScopes
        return Endpoint(
            client: client,
            scopes: scopes,
            target: Planner.Target(id: id, resource: path),
            reader: reader
        )
    }

    /// A custom endpoint, to which all that holds for the resource applies.
    func endpoint<Value: Sendable>(_ declaration: Scope, _ reader: ValueReader<Value>) -> Endpoint<Value> {
        var declaration = declaration
        declaration.name = "endpoint"
        declaration.refuseOperations()
        return Endpoint(
            client: client,
            scopes: scope.flattened + declaration.flattened + callScopes,
            target: Planner.Target(resource: path),
            reader: reader
        )
    }

    /// The settings that hold for an operation.
    func settings(for operation: ResourceOperation) -> CallSettings {
        var settings = client.scopes.resolution.settings
        let scopes = client.scope.scopes(for: operation) + scope.flattened
        for scope in scopes + scope.scopes(for: operation) + callScopes { settings.lay(scope.settings) }
        return settings
    }
}

extension ResourceSite: CustomReflectable {
    package var customMirror: Mirror { mirror(self) }

    /// A mirror of what is declared in this place.
    func mirror(_ subject: some Any) -> Mirror {
        Mirror(
            subject,
            children: ["client": client, "path": path, "settings": scope.settings],
            displayStyle: .struct
        )
    }
}
