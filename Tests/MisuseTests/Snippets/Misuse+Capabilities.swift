extension Misuse {
    private static let onlyLists = "only a list has pages: declare the endpoint as Endpoint<[…]>"

    /// Operations that a resource does not have.
    static let capabilities = [
        Misuse(
            "create on what is read only",
            says: "requires that 'ReadOnly' conform to 'Creatable'",
            """
                func run() async throws { try await shop.reviews.create(.init(name: "Lamp")) }
            """
        ),
        Misuse(
            "update on what is read only",
            says: "requires that 'ReadOnly' conform to 'Updatable'",
            """
                func run() async throws { try await shop.reviews.update(Product(id: 1, name: "Lamp")) }
            """
        ),
        Misuse(
            "delete with a set that lacks it",
            says: "requires that 'Inbox' conform to 'Deletable'",
            """
                func run() async throws { try await shop.messages.delete(1) }
            """
        ),
        Misuse(
            "an unsent delete with a set that lacks it",
            says: "requires that 'Inbox' conform to 'Deletable'",
            """
                var delete: Endpoint<Void> { shop.messages.endpoints.delete(1) }
            """
        ),
        Misuse(
            "a batch with a set that lacks it",
            says: "requires that 'ReadWrite' conform to 'BatchCreatable'",
            """
                func run() async throws { _ = try await shop.products.create(each: []) }
            """
        ),
        Misuse(
            "paging through a set that cannot be listed",
            says: "Sink' conform to 'Listable'",
            """
                enum Sink: Creatable {}
                var sink: Resource<Product, Sink> { resource("sink") }
                func run() async throws { for try await item in sink.all { _ = item } }
            """
        ),
        Misuse(
            "several drafts to create with a set that lacks the batch",
            says: "create([…]) needs the capability BatchCreatable",
            """
                func run() async throws { try await shop.products.create([.init(name: "Lamp")]) }
            """
        ),
        Misuse(
            "several drafts to create on what is read only",
            says: "requires that 'ReadOnly' conform to 'BatchCreatable'",
            """
                func run() async throws { try await shop.reviews.create([.init(name: "Lamp")]) }
            """
        ),
        Misuse(
            "several items to update with a set that lacks the batch",
            says: "update([…]) needs the capability BatchUpdatable",
            """
                func run() async throws { try await shop.products.update([Product(id: 1, name: "Lamp")]) }
            """
        ),
        Misuse(
            "an upsert with a set that lacks it",
            says: "requires that 'ReadWrite' conform to 'Upsertable'",
            """
                func run() async throws { _ = try await shop.products.upsert(Product(id: 1, name: "Lamp")) }
            """
        ),
        Misuse(
            "a page of one value",
            says: onlyLists,
            """
                var first: Endpoint<Product> { endpoint { GET("products/first") } }
                func run() async throws { _ = try await first.page() }
            """
        ),
        Misuse(
            "pages of one value",
            says: onlyLists,
            """
                var first: Endpoint<Product> { endpoint { GET("products/first") } }
                func run() async throws { for try await page in first.pages { print(page.items) } }
            """
        ),
        Misuse(
            "all items of one value",
            says: onlyLists,
            """
                var first: Endpoint<Product> { endpoint { GET("products/first") } }
                func run() async throws { _ = try await first.all.collect() }
            """
        ),
    ]
}
