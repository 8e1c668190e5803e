import WaybillSystem

extension ResourceContext {
    /// Returns a POST of a draft.
    func createEndpoint<Element: Representation>(_ draft: Element.Draft) -> Endpoint<Element> {
        endpoint(.create, .post, body: Body(draft), write: .state, .merging()) { (reply, plan) throws(APIError) in
            guard let location = reply.headerFields[.location] else {
                throw .decoding(reply.failure(MissingLocation(), decoding: "\(Element.self)", plan: plan))
            }
            guard let url = URL.resolved(location, against: reply.url) else {
                throw .decoding(reply.failure(MissingLocation(invalid: true), decoding: "\(Element.self)", plan: plan))
            }
            return self.reading(at: url.absoluteString)
        }
    }

    /// Returns a PUT of a state.
    func updateEndpoint<Element: Representation>(_ state: Body, id: OperationID?) -> Endpoint<Element> {
        endpoint(.update, .put, id: id, body: state, write: .state, .merging(), reread: reread(id: id))
    }

    /// Returns a PATCH with changes.
    func patchEndpoint<Element: Representation>(_ changes: Element.Patch, id: OperationID?) -> Endpoint<Element> {
        let body = Body(.changes(changes))
        return endpoint(.patch, .patch, id: id, body: body, write: .changes, .merging(), reread: reread(id: id))
    }

    /// Returns a GET after a write.
    func reread<Element: Representation>(
        id: OperationID?
    ) -> @Sendable (Reply, Plan) throws(APIError) -> Endpoint<Element> {
        { (_, _) throws(APIError) in self.with(appending: .afterWrite).endpoint(.read, .get, id: id, .decoding()) }
    }

    private func reading<Element: Representation>(at url: String) -> Endpoint<Element> {
        var scope = Scope.afterWrite
        scope.route = Route(.get, .url(url))
        return with(appending: scope).endpoint(.read, .get, .decoding())
    }
}

extension Scope {
    /// The parts that a request after a write does not repeat: its conditions.
    static var afterWrite: Scope {
        var scope = Scope("after the write")
        for name in [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince] as [HTTPField.Name] {
            Header(removing: name).declare(in: &scope)
        }
        return scope
    }
}
