/// A request's plan and the parts it was built from, for describing an API.
package struct RequestOutline: Sendable {
    /// The plan, which contains the whole request except the credential.
    package let plan: Call.Plan

    /// The route's path, with the call's values filled in; nil if the route is a URL from the server.
    package let path: Route.Path?

    /// The base URL.
    package let base: BaseURL

    /// The query items, in order.
    package let query: [QueryItem]

    /// The declared header fields.
    package let headerFields: HTTPFields

    /// The declared body.
    package let body: Body?

    /// The path of the resource; nil for a call outside a resource.
    package let resource: Route.Path?

    /// The id passed to the operation.
    package let id: OperationID?

    /// The operation of a resource; nil for a custom endpoint.
    package let operation: On.Operation?
}

extension RequestBuilder {
    /// Builds the plan and returns it with the parts it was built from.
    ///
    /// - Throws: ``APIError/request(_:)`` with all declaration errors; ``APIError/pagination(_:)`` as for ``plan()``.
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
            id: target.id,
            operation: target.operation
        )
    }
}
