/// The client, the path and the clauses of a resource; creates the endpoints of its operations.
package struct ResourceContext: Sendable {
    package let client: Client
    package let path: Route.Path
    package let scope: Scope

    /// The scopes that a single call declares, outermost first.
    private var callScopes: [Scope] = []

    init(client: Client, path: Route.Path, scope: Scope) {
        self.client = client
        self.path = path
        self.scope = scope
    }

    /// Returns the same context with clauses as its innermost scope.
    func with(_ clauses: Scope) -> ResourceContext {
        var context = self
        context.callScopes += Scope.call(clauses)
        return context
    }

    /// Returns the same context with a scope as its innermost.
    func with(appending scope: Scope) -> ResourceContext {
        var context = self
        context.callScopes.append(scope)
        return context
    }

    /// Returns the endpoint of an operation: its default request, and the clauses of the client and the resource, for
    /// all operations and for this one.
    package func endpoint<Value: Sendable>(
        _ operation: On.Operation,
        _ method: HTTPRequest.Method,
        id: OperationID? = nil,
        body: Body? = nil,
        write: WriteOperation? = nil,
        _ reader: ValueReader<Value>,
        reread: (@Sendable (Reply, Plan) throws(APIError) -> Endpoint<Value>)? = nil
    ) -> Endpoint<Value> {
        var request = Scope(Scope.operationPrefix + operation.rawValue)
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
            target: RequestBuilder.Target(id: id, resource: path, write: write),
            reader: reader,
            reread: reread
        )
    }

    /// Returns a custom endpoint with all clauses of the resource.
    func endpoint<Value: Sendable>(_ declaration: Scope, _ reader: ValueReader<Value>) -> Endpoint<Value> {
        var declaration = declaration
        declaration.name = "endpoint"
        declaration.isForOneCall = true
        declaration.rejectOperations()
        return Endpoint(
            client: client,
            scopes: scope.flattened + declaration.flattened + callScopes,
            target: RequestBuilder.Target(resource: path),
            reader: reader
        )
    }

    /// Returns the settings that hold for an operation.
    package func settings(for operation: On.Operation) -> Scope.Settings {
        var settings = client.scopes.configuration.settings
        let scopes = client.scope.scopes(for: operation) + scope.flattened
        for scope in scopes + scope.scopes(for: operation) + callScopes { settings.merge(scope.settings) }
        return settings
    }
}

extension ResourceContext: CustomReflectable {
    package var customMirror: Mirror { mirror(self) }

    /// Returns a mirror of the declarations of this context.
    func mirror(_ subject: some Any) -> Mirror {
        Mirror(
            subject,
            children: ["client": client, "path": path, "settings": scope.settings],
            displayStyle: .struct
        )
    }
}
