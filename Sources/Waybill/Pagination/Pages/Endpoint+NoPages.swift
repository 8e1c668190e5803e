// Paging of an endpoint whose value is no list. It does not compile, and the message says why. The bodies never run;
// they refer to each other so that every use has the type that it would have for a list.
extension Endpoint {
    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public func page() async throws(APIError) -> Page<Value> { try await pages.fetch(nil) }

    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public var pages: Pages<Value> {
        Pages(start: nil, readAhead: 0, rules: PageWalkRules(nil)) { (_) async throws(APIError) in try await page() }
    }

    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public var all: Pages<Value>.Items { Pages.Items(pages: pages) }
}
