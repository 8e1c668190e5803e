import Foundation
import Testing
import Waybill

@Suite("Django REST framework", .running(.drf))
struct DjangoTests {
    /// The names of the seeded items.
    ///
    /// Other tests add and remove items after them.
    static let seeds = (1...35).map { $0 < 10 ? "item 0\($0)" : "item \($0)" }

    static func seeds(in items: [DjangoAPI.Item]) -> [String] { items.map(\.name).filter { $0.hasPrefix("item ") } }

    @Test("A Django item is created, read, replaced, patched and deleted", arguments: TransportUnderTest.all)
    func lifeOfAnItem(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        let name = uniqueName()
        let start = Date()
        try await withTemporary(.init(name: name, price: "12.5"), in: api.items) { item in
            #expect(item.name == name)
            #expect(item.price == "12.50")
            #expect(abs(item.created.timeIntervalSince(start)) < 3600)
            #expect(try await api.items.read(item.id) == item)

            var changed = item
            changed.price = "1.00"
            #expect(try await api.items.update(changed) == changed)
            #expect(try await api.items.refresh(item) == changed)

            let patched = try await api.items.patch(item.id, .init(price: "2.00"))
            #expect(patched.price == "2.00")
            #expect(patched.name == name)
            changed.price = "3.00"
            #expect(try await api.items.patch(from: patched, to: changed) == changed)

            try await api.items.delete(item.id)
            let error = try await failure { try await api.items.read(item.id) }
            #expect(error.isNotFound)
            #expect(error.problem(as: Style.DjangoProblem.self)?.detail == "No Item matches the given query.")
        }
    }

    @Test("Django's links, page numbers and offsets visit every item once", arguments: TransportUnderTest.all)
    func paging(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        #expect(Self.seeds(in: try await api.items.all.collect(upTo: 35)) == Self.seeds)
        let numbered = try await collected { () throws(APIError) in
            try await api.numberedItems(pageSize: 34).all.collect()
        }
        #expect(Self.seeds(in: numbered) == Self.seeds)
        #expect(Self.seeds(in: try await api.offsetItems(pageSize: 8).all.collect()) == Self.seeds)
        let ahead = try await api.offsetItems(pageSize: 8).all(readAhead: 2).collect()
        #expect(Self.seeds(in: ahead) == Self.seeds)
    }

    /// Collects the pages, starting over if the server rejects a page number.
    ///
    /// Other tests add and remove items, and Django counts the items before it reads them. If an item is deleted in
    /// between, the client requests a page after the last one.
    private func collected(
        _ collect: () async throws(APIError) -> [DjangoAPI.Item]
    ) async throws(APIError) -> [DjangoAPI.Item] {
        for _ in 1...5 {
            do throws(APIError) {
                return try await collect()
            } catch {
                guard error.isNotFound else { throw error }
            }
        }
        return try await collect()
    }

    @Test("Django's cursors visit every item once", arguments: TransportUnderTest.all)
    func cursors(over transport: TransportUnderTest) async throws {
        let items = try await DjangoAPI(over: transport).newestItems.all.collect()
        #expect(Self.seeds(in: items) == Self.seeds.reversed())
    }

    @Test(
        "A Django page has the total count and links to the next and the previous page",
        arguments: TransportUnderTest.all
    )
    func pages(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        let lists = [
            api.items.endpoints.list(), api.numberedItems(pageSize: 10).endpoints.list(),
            api.offsetItems(pageSize: 10).endpoints.list(),
        ]
        for items in lists {
            let first = try await items.page()
            #expect(first.items.map(\.name) == Array(Self.seeds.prefix(10)))
            #expect(first.number == 1)
            #expect(first.previous == nil)
            #expect((first.total ?? 0) >= 35)

            let next = try #require(first.next)
            let second = try await items.page(at: next)
            #expect(second.items.map(\.name) == Array(Self.seeds[10..<20]))
            let back = try await items.page(at: try #require(second.previous))
            #expect(back.items == first.items)
        }
    }

    @Test("A stored Django cursor continues with another client", arguments: TransportUnderTest.all)
    func storedCursor(over transport: TransportUnderTest) async throws {
        // Other tests add items for a while. With this page size, they are all on the second page.
        let page = try await DjangoAPI(over: transport).numberedItems(pageSize: 30).page()
        let stored = try JSONEncoder().encode(#require(page.next))
        let cursor = try JSONDecoder().decode(Cursor.self, from: stored)
        let rest = try await collected { () throws(APIError) in
            try await DjangoAPI(over: transport).numberedItems(pageSize: 30).all(from: cursor).collect()
        }
        #expect(Self.seeds(in: rest) == Array(Self.seeds.dropFirst(30)))
    }

    @Test("A Django validation problem has its messages by field", arguments: TransportUnderTest.all)
    func fieldErrors(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        let failure = try await statusFailure {
            try await api.items.create(.init(name: "", price: "a lot"))
        }
        #expect(failure.status == 400)
        #expect(failure.category == .clientError)
        let problem = try #require(failure.problem(as: Style.DjangoProblem.self))
        #expect(problem.detail == nil)
        #expect(problem.fields["name"] == ["This field may not be blank."])
        #expect(problem.fields["price"] == ["A valid number is required."])
        #expect(APIError.status(failure).description.contains("name: This field may not be blank."))
    }

    @Test("A method that Django does not allow fails with a detail", arguments: TransportUnderTest.all)
    func methodNotAllowed(over transport: TransportUnderTest) async throws {
        let endpoint: Endpoint<Void> = DjangoAPI(over: transport).endpoint { DELETE("page/") }
        let failure = try await statusFailure(endpoint.send)
        #expect(failure.status == 405)
        #expect(failure.problem(as: Style.DjangoProblem.self)?.detail == #"Method "DELETE" not allowed."#)
    }

    @Test("A media type that Django does not accept fails with 415", arguments: TransportUnderTest.all)
    func unsupportedMediaType(over transport: TransportUnderTest) async throws {
        let endpoint: Endpoint<Void> = DjangoAPI(over: transport).endpoint {
            POST("page/")
            Body(Data("lamp".utf8), contentType: "text/plain")
        }
        let failure = try await statusFailure(endpoint.send)
        #expect(failure.status == 415)
    }

    @Test("A token gives access to a private Django list", arguments: TransportUnderTest.all)
    func tokens(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        let rejected = try await statusFailure {
            try await api.privateItems(token: nil).list()
        }
        #expect(rejected.category == .unauthorized)
        #expect(rejected.headerFields[.wwwAuthenticate] == "Token")
        #expect(
            rejected.problem(as: Style.DjangoProblem.self)?.detail == "Authentication credentials were not provided."
        )

        let token = try await api.token(user: "u", password: "p").send()
        #expect(Self.seeds(in: try await api.privateItems(token: token).list()) == Self.seeds)

        let wrong = try await statusFailure(api.token(user: "u", password: "wrong").send)
        #expect(wrong.status == 400)
        #expect(
            wrong.problem(as: Style.DjangoProblem.self)?.fields["non_field_errors"]
                == ["Unable to log in with provided credentials."]
        )
    }

    @Test("Too many requests to Django fail with 429 and Retry-After", arguments: TransportUnderTest.all)
    func throttling(over transport: TransportUnderTest) async throws {
        let list = DjangoAPI(over: transport).throttledItems
        // The server allows three requests a minute, and other tests may have used some of them.
        var failure: APIError?
        for _ in 1...10 where failure == nil {
            do throws(APIError) {
                #expect(Self.seeds(in: try await list.send()) == Self.seeds)
            } catch {
                failure = error
            }
        }
        guard case .status(let throttled)? = failure else {
            Issue.record("ten requests in a row were let through, or failed otherwise: \(String(describing: failure))")
            return
        }
        #expect(throttled.status == 429)
        let seconds = try #require(throttled.headerFields[.retryAfter].flatMap { Int($0) })
        #expect((1...60).contains(seconds))
        #expect(throttled.problem(as: Style.DjangoProblem.self)?.detail?.hasPrefix("Request was throttled.") == true)
    }

    @Test("A Django 429 response is not retried if its Retry-After exceeds a limit", arguments: TransportUnderTest.all)
    func retrying(over transport: TransportUnderTest) async throws {
        let impatient: Endpoint<[DjangoAPI.Item]> = DjangoAPI(over: transport).endpoint {
            GET("throttled/")
            Envelope.none
            Retry(backoff: .none, maximumWait: .milliseconds(1))
        }
        let bounded: Endpoint<[DjangoAPI.Item]> = DjangoAPI(over: transport).endpoint {
            GET("throttled/")
            Envelope.none
            Retry(backoff: .none)
            Timeout(.seconds(5))
        }
        // The server allows three requests a minute.
        let rejected = try await throttledFailure(impatient.send)
        #expect(rejected.status == 429)
        #expect(rejected.call.attempt == 1)
        guard case .waitIsTooLong(let wait, maximum: .milliseconds(1)) = rejected.call.retryRejection else {
            Issue.record("\(rejected)")
            return
        }
        #expect((.seconds(1)...Duration.seconds(60)).contains(wait))
        let late = try await throttledFailure(bounded.send)
        #expect(late.status == 429)
        guard case .waitPassesDeadline(let wait, _) = late.call.retryRejection else {
            Issue.record("\(late)")
            return
        }
        #expect((.seconds(1)...Duration.seconds(60)).contains(wait))
    }

    @Test("An unmodified Django item is nil", arguments: TransportUnderTest.all)
    func conditionalReading(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        try await withTemporary(.init(name: uniqueName(), price: "1.00"), in: api.items) { item in
            let first = try await api.item(item.id, unlessTagged: nil).response()
            #expect(first.value == item)
            let tag = try #require(first.headerFields[.eTag])

            let second = try await api.item(item.id, unlessTagged: tag).response()
            #expect(second.status == 304)
            #expect(second.value == nil)

            try await api.items.patch(item.id, .init(price: "2.00"))
            let third = try await api.item(item.id, unlessTagged: tag).response()
            #expect(third.status == 200)
            #expect(third.value?.price == "2.00")
        }
    }

    @Test("An unmodified Django list is nil", arguments: TransportUnderTest.all)
    func conditionalListing(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        var response = try await api.firstItems(unlessTagged: nil).response()
        // The list contains a count that includes other tests' items, so it may change between two requests.
        for _ in 1...20 {
            #expect(response.value.map(Self.seeds) == Array(Self.seeds.prefix(5)))
            let tag = try #require(response.headerFields[.eTag])
            response = try await api.firstItems(unlessTagged: tag).response()
            if response.status == 304 { break }
        }
        #expect(response.status == 304)
        #expect(response.value == nil)
    }

    @Test("A Django path without its trailing slash is redirected", arguments: TransportUnderTest.all)
    func redirect(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        let endpoint: Endpoint<DjangoAPI.Item> = api.endpoint { GET("page/1") }
        let response = try await endpoint.response()
        #expect(response.value.name == "item 01")
        #expect(response.url.absoluteString == api.client.url.absoluteString + "/page/1/")
    }
}

extension DjangoAPI {
    init(over transport: TransportUnderTest) { self.init(Server.drf.url, transport: transport.transport) }
}
