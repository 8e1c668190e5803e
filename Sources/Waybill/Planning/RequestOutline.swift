/// The parts of a request before they are combined, for descriptions of an API.
package struct RequestOutline: Sendable {
    /// The plan, which has all that is sent except for the credential.
    package let plan: Plan

    /// The path, with the values of the call; nil for a call at a URL.
    package let path: Route.Path?

    /// The path of the base URL, percent-encoded.
    package let base: BaseURL

    /// The items of the query, in their order.
    package let query: [QueryItem]

    /// The header fields that are declared.
    package let headerFields: HTTPFields

    /// The body as it is declared.
    package let body: Body?

    /// The path of the resource; nil for a call without one.
    package let resource: Route.Path?

    /// The id that the operation is called with.
    package let id: OperationID?

    /// The operation of a resource; nil for an endpoint of its own.
    package var operation: On.Operation? {
        plan.scopes.lazy.compactMap { scope in
            scope.name.hasPrefix(Scope.operationPrefix)
                ? On.Operation(rawValue: String(scope.name.dropFirst(Scope.operationPrefix.count))) : nil
        }.first
    }
}

extension Scope {
    /// The beginning of the name of a scope with an operation's default request.
    package static let operationPrefix = "operation "
}

extension RequestBuilder {
    /// Builds the plan, and returns it with its parts.
    ///
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    package consuming func outline() throws(APIError) -> RequestOutline {
        let configuration = self.configuration
        let path: Route.Path? =
            switch configuration.target {
            case .path(let path): path.replacing(id: target.id, resource: target.resource)
            case .url: nil
            case .unchanged, nil: target.resource ?? Route.Path(pieces: [])
            }
        let base = self.base
        let target = self.target
        return RequestOutline(
            plan: try plan(),
            path: path,
            base: base,
            query: configuration.query,
            headerFields: configuration.headerFields,
            body: configuration.body,
            resource: target.resource,
            id: target.id
        )
    }
}
