import WaybillSystem

/// The client, path and clauses of a resource, which its endpoints are created from.
package struct ResourceContext: Sendable {
    package let client: Client
    package let path: Route.Path
    package let scope: Scope

    /// The scopes declared for a single call, outermost first.
    private var callScopes: [Scope] = []

    init(client: Client, path: Route.Path, scope: Scope) {
        self.client = client
        self.path = path
        self.scope = scope
    }

    /// Returns a copy with clauses added as its innermost scope.
    package func with(_ clauses: Scope) -> ResourceContext {
        var context = self
        context.callScopes += Scope.call(clauses)
        return context
    }

    /// Returns a copy with the given value replaced in its path and query.
    package func replacing(value old: String, by new: String) -> ResourceContext {
        let path = path.replacing(value: old, by: new)
        var context = ResourceContext(client: client, path: path, scope: scope.replacing(queryValue: old, by: new))
        context.callScopes = callScopes.map { $0.replacing(queryValue: old, by: new) }
        return context
    }

    /// Returns the resource's scopes for an operation, outermost first, excluding the client's.
    package func ownScopes(for operation: On.Operation) -> [Scope] {
        scope.flattened + scope.scopes(for: operation) + callScopes
    }

    /// Returns a copy with a scope added as the innermost one.
    package func with(appending scope: Scope) -> ResourceContext {
        var context = self
        context.callScopes.append(scope)
        return context
    }

    /// Returns the endpoint of an operation: its default request, with the applicable clauses of the client and the
    /// resource.
    package func endpoint<Value: Sendable>(
        _ operation: On.Operation,
        _ method: HTTPRequest.Method,
        id: OperationID? = nil,
        body: Body? = nil,
        write: WriteOperation? = nil,
        _ reader: ValueReader<Value>,
        reread: (@Sendable (Reply, Call.Plan) throws(APIError) -> Endpoint<Value>)? = nil
    ) -> Endpoint<Value> {
        var request = Scope("operation \(operation.rawValue)")
        request.route = Route(method, .path(id.map { path.item($0) } ?? path))
        request.body = body
        return Endpoint(
            client: client,
            scopes: scopes(for: operation, request),
            target: RequestBuilder.Target(operation: operation, id: id, resource: path, write: write),
            reader: reader,
            reread: reread
        )
    }

    /// Returns a custom endpoint that inherits the resource's clauses.
    package func endpoint<Value: Sendable>(_ declaration: Scope, _ reader: ValueReader<Value>) -> Endpoint<Value> {
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

    /// Returns the settings in effect for an operation, the same as in its plan.
    package func settings(for operation: On.Operation) -> Scope.Settings {
        var configuration = client.scopes.configuration
        for scope in scopes(for: operation) { configuration.merge(scope) }
        return configuration.settings
    }

    /// Returns the scopes for an operation that are nested in the client's scopes, outermost first.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - request: the scope with the operation's default request; nil to leave it out.
    /// - Returns: the scopes.
    private func scopes(for operation: On.Operation, _ request: Scope? = nil) -> [Scope] {
        var scopes: [Scope] = []
        scopes.reserveCapacity(3 + scope.styles.count + callScopes.count)
        if let request { scopes.append(request) }
        scopes += client.scope.scopes(for: operation)
        scope.appendFlattened(to: &scopes)
        scopes += scope.scopes(for: operation)
        scopes += callScopes
        return scopes
    }
}

extension ResourceContext: CustomReflectable {
    package var customMirror: Mirror { mirror(self) }

    /// Returns a mirror of the context's declarations.
    func mirror(_ subject: some Any) -> Mirror {
        Mirror(
            subject,
            children: ["client": client, "path": path, "settings": scope.settings],
            displayStyle: .struct
        )
    }
}

extension ResourceContext {
    /// Returns a POST request with a draft.
    package func createEndpoint<Element: Representation>(_ draft: Body) -> Endpoint<Element> {
        endpoint(.create, .post, body: draft, write: .state, .merging()) { (reply, plan) throws(APIError) in
            if let path = plan.settings[WriteResult.self]?.idPath {
                let id: OperationID
                do throws(WriteResult.MissingID) {
                    id = try reply.createdID(at: path, plan: plan)
                } catch {
                    throw .decoding(reply.failure(error, decoding: "\(Element.self)", plan: plan))
                }
                return self.with(appending: .afterWrite).endpoint(.read, .get, id: id, .decoding())
            }
            guard let location = reply.headerFields[.location] else {
                throw .decoding(reply.failure(MissingLocation(), decoding: "\(Element.self)", plan: plan))
            }
            guard let url = URL.resolved(location, against: reply.url) else {
                throw .decoding(reply.failure(MissingLocation(invalid: true), decoding: "\(Element.self)", plan: plan))
            }
            return self.reading(at: url.absoluteString)
        }
    }

    /// Returns a PUT request with a new state.
    package func updateEndpoint<Element: Representation>(_ state: Body, id: OperationID?) -> Endpoint<Element> {
        endpoint(.update, .put, id: id, body: state, write: .state, .merging(), reread: reread(id: id))
    }

    /// Returns a PATCH request with changes.
    package func patchEndpoint<Element: Representation>(
        _ changes: Element.Patch,
        id: OperationID?
    ) -> Endpoint<Element> {
        let body = Body(.changes(changes))
        return endpoint(.patch, .patch, id: id, body: body, write: .changes, .merging(), reread: reread(id: id))
    }

    /// Returns a closure that creates the GET request for the entity after a write.
    func reread<Element: Representation>(
        id: OperationID?
    ) -> @Sendable (Reply, Call.Plan) throws(APIError) -> Endpoint<Element> {
        { (_, _) throws(APIError) in self.with(appending: .afterWrite).endpoint(.read, .get, id: id, .decoding()) }
    }

    private func reading<Element: Representation>(at url: String) -> Endpoint<Element> {
        var scope = Scope.afterWrite
        scope.route = Route(.get, .url(url))
        return with(appending: scope).endpoint(.read, .get, .decoding())
    }
}

extension ResourceContext {
    /// Returns a PUT request that creates or replaces an item.
    func upsertEndpoint<Element: Representation>(
        _ state: Body,
        id: OperationID
    ) -> Endpoint<WriteResult.Upserted<Element>> {
        endpoint(.upsert, .put, id: id, body: state, write: .state, .upserting(.merging())) {
            (reply, _) throws(APIError) in
            // The status of the GET does not indicate whether the item is new, so the reader uses that of the PUT.
            let reader = ValueReader<WriteResult.Upserted<Element>>.upserting(.decoding(), status: reply.status)
            return self.with(appending: .afterWrite).endpoint(.read, .get, id: id, reader)
        }
    }
}

extension ValueReader {
    /// Returns a reader that detects a created item by the given status, or by the reply's status if it is nil.
    fileprivate static func upserting<Element>(
        _ reader: ValueReader<Element>,
        status: HTTPResponse.Status? = nil
    ) -> Self where Value == WriteResult.Upserted<Element> {
        Self { (reply, plan, extras) throws(APIError) in
            let reading = try reader.read(reply, plan, extras)
            let isCreated = (status ?? reply.status).code == 201
            return Reading(
                response: reading.response.map { isCreated ? .created($0) : .replaced($0) },
                extras: reading.extras
            )
        }
    }
}

extension Scope {
    /// A scope for the GET after a write, which removes the conditions that applied to the write.
    static var afterWrite: Scope {
        var scope = Scope("after the write")
        for name in [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince] as [HTTPField.Name] {
            Header(removing: name).declare(in: &scope)
        }
        return scope
    }
}
