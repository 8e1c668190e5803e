extension Resource where Access: Listable, Element: Decodable {
    /// Fetches the collection in one request and returns its items one by one, while the response arrives.
    ///
    /// ```swift
    /// for try await product in try await shop.products.stream() { print(product.name) }
    /// ```
    ///
    /// Of a paginated collection it is the server's default page.
    ///
    /// - Returns: the head of the response, and the items to read.
    /// - Throws: ``APIError``; ``APIError/status(_:)`` for a declared problem in place of the list.
    public func stream() async throws(APIError) -> ElementStream<Element> { try await endpoints.list().stream() }

    /// Returns all items of all pages, each while its page arrives.
    ///
    /// ```swift
    /// for try await product in shop.products.all(streaming: true) { index(product) }
    /// ```
    ///
    /// The next page is requested as soon as its cursor is known.
    ///
    /// - Parameters:
    ///   - streaming: whether items are returned while their page arrives; if not, they are those of `all(after:)`.
    ///   - cursor: the ``Page/next`` of a page; nil for the first page.
    /// - Returns: the items.
    public func all(streaming: Bool, after cursor: Cursor? = nil) -> Pages<Element>.Items {
        endpoints.list().all(streaming: streaming, after: cursor)
    }
}

extension Resource {
    /// Declares an endpoint with all clauses of the resource, whose response has server-sent events.
    ///
    /// The request accepts `text/event-stream`, unless a ``Header`` says otherwise.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - clauses: a route, and further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Events<Value>.Type = Events<Value>.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        endpoints.context.endpoint(clauses(), .events()).acceptingEvents
    }
}
