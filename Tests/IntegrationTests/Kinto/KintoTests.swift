import Foundation
import Testing
import Waybill

@Suite("Kinto", .running(.kinto))
struct KintoTests {
    typealias Articles = Resource<KintoAPI.Article, ReadWrite>

    /// Returns the seeded articles, which no test changes.
    static func seeds(_ api: KintoAPI) -> Articles { api.articles(in: "articles", of: "b") }

    /// Performs work on a collection that no other test uses.
    func withCollection(
        of api: KintoAPI,
        _ work: (_ bucket: String, _ articles: Articles) async throws -> Void
    ) async throws {
        try await withTemporary(KintoAPI.Bucket(id: uniqueName()), in: api.buckets) { bucket in
            try await api.collections(in: bucket.id).create(KintoAPI.Collection(id: "articles"))
            try await work(bucket.id, api.articles(in: "articles", of: bucket.id))
        }
    }

    @Test(
        "A Kinto record is created, read, replaced, patched and deleted in an envelope",
        arguments: TransportUnderTest.all
    )
    func lifeOfAnArticle(over transport: TransportUnderTest) async throws {
        try await withCollection(of: KintoAPI(over: transport)) { _, articles in
            let created = try await articles.endpoints.create(.init(title: "Lamps", n: 1)).response()
            #expect(created.status == 201)
            let article = created.value
            #expect(article.title == "Lamps")
            #expect(created.headerFields[.eTag] == article.tag)
            #expect(try await articles.read(article.id) == article)

            var changed = article
            changed.title = "Desk lamps"
            let updated = try await articles.update(changed)
            #expect(updated.title == "Desk lamps")
            #expect(updated.lastModified > article.lastModified)

            let patched = try await articles.patch(article.id, .init(n: .null))
            #expect(patched.title == "Desk lamps")
            #expect(patched.n == nil)

            changed = patched
            changed.n = 7
            let renumbered = try await articles.patch(from: patched, to: changed)
            #expect(renumbered.n == 7)
            #expect(renumbered.title == "Desk lamps")

            let steps = [JSONPatchStep(op: "replace", path: "/data/title", value: "Floor lamps")]
            let stepped = try await articles.apply(steps, to: article.id).send()
            #expect(stepped.title == "Floor lamps")
            #expect(stepped.n == 7)

            try await articles.delete(article.id)
            let error = try await failure { try await articles.refresh(article) }
            #expect(error.isNotFound)
            #expect(error.problem(as: KintoProblem.self)?.details?["resource_name"] == "record")
        }
    }

    @Test("Permissions beside Kinto's data are metadata", arguments: TransportUnderTest.all)
    func permissions(over transport: TransportUnderTest) async throws {
        let api = KintoAPI(over: transport)
        let anonymous = try await api.root(authorized: false).send()
        #expect(anonymous.projectName == "kinto")
        #expect(anonymous.user == nil)
        let user = try #require(try await api.root().send().user)
        #expect(user.principals.contains(user.id))
        try await withCollection(of: api) { bucket, _ in
            let response = try await api.buckets.endpoints.read(bucket).response()
            #expect(response.metadata(KintoAPI.Permissions.self)?.write == [user.id])
        }
        #expect(try await Self.seeds(api).endpoints.list().response().metadata(KintoAPI.Permissions.self) == nil)
    }

    @Test("Kinto's header field leads from page to page", arguments: TransportUnderTest.all)
    func paging(over transport: TransportUnderTest) async throws {
        let articles = Self.seeds(KintoAPI(over: transport))
        let first = try await articles.page()
        #expect(first.items.count == 5)
        #expect(first.hasMore)
        let all = try await articles.all.collect()
        #expect(all.compactMap(\.n).sorted() == Array(1...23))
        let next = try #require(first.next)
        let rest = try await articles.all(from: next, readAhead: 1).collect()
        #expect(rest == Array(all.dropFirst(5)))
        #expect(try await articles.head.response().headerFields["Total-Records"] == "23")
    }

    @Test("Kinto filters and sort orders are query items", arguments: TransportUnderTest.all)
    func filters(over transport: TransportUnderTest) async throws {
        let articles = Self.seeds(KintoAPI(over: transport))
        let found = try await articles.atLeast(17).all.collect()
        #expect(found.map(\.n) == [23, 22, 21, 20, 19, 18, 17])
    }

    @Test(
        "Kinto rejects a change to an outdated version and returns the current one",
        arguments: TransportUnderTest.all
    )
    func optimisticLocking(over transport: TransportUnderTest) async throws {
        let api = KintoAPI(over: transport)
        try await withCollection(of: api) { bucket, articles in
            let old = try await articles.create(.init(title: "Lamps"))
            let new = try await articles.patch(old.id, .init(title: "Desk lamps"))
            let outdated = api.articles(in: "articles", of: bucket, ifMatch: old.tag)
            let failures = [
                try await statusFailure { try await outdated.update(old) },
                try await statusFailure { try await outdated.patch(old.id, .init(title: "Floor lamps")) },
                try await statusFailure { try await outdated.delete(old.id) },
            ]
            for failure in failures {
                #expect(failure.status == 412)
                let existing = failure.problem(as: KintoProblem.self)?.details?["existing"]
                #expect(existing?["title"] == "Desk lamps")
            }
            let current = api.articles(in: "articles", of: bucket, ifMatch: new.tag)
            #expect(try await current.patch(old.id, .init(title: "Floor lamps")).title == "Floor lamps")
        }
    }

    @Test("Kinto does not create a record under an existing id", arguments: TransportUnderTest.all)
    func insertion(over transport: TransportUnderTest) async throws {
        try await withCollection(of: KintoAPI(over: transport)) { _, articles in
            let insertion = articles.insert(.init(title: "Lamps"), as: "lamps")
            let lamps = try await insertion.send()
            #expect(lamps.id == "lamps")
            let failure = try await statusFailure(insertion.send)
            #expect(failure.status == 412)
        }
    }

    @Test("An unmodified Kinto list is nil", arguments: TransportUnderTest.all)
    func conditionalReading(over transport: TransportUnderTest) async throws {
        try await withCollection(of: KintoAPI(over: transport)) { _, articles in
            try await articles.create(.init(title: "Lamps"))
            let first = try await articles.list(unlessTagged: nil).response()
            #expect(first.value?.map(\.title) == ["Lamps"])
            let second = try await articles.list(unlessTagged: first.headerFields[.eTag]).response()
            #expect(second.status == 304)
            #expect(second.value == nil)
        }
    }

    @Test("Kinto's changes since a time include deleted records", arguments: TransportUnderTest.all)
    func changes(over transport: TransportUnderTest) async throws {
        try await withCollection(of: KintoAPI(over: transport)) { _, articles in
            let lamps = try await articles.create(.init(title: "Lamps"))
            let chairs = try await articles.create(.init(title: "Chairs"))
            try await articles.delete(lamps.id)
            let changes = try await articles.changes(since: lamps.lastModified).all.collect()
            #expect(changes.map(\.id) == [lamps.id, chairs.id])
            #expect(changes.map(\.deleted) == [true, nil])
        }
    }

    @Test("A Kinto batch has a response for each request", arguments: TransportUnderTest.all)
    func batch(over transport: TransportUnderTest) async throws {
        let api = KintoAPI(over: transport)
        try await withCollection(of: api) { bucket, articles in
            let path = "/buckets/\(bucket)/collections/articles/records"
            let responses = try await api.batch([
                .init(method: "PUT", path: "\(path)/lamps", body: ["data": ["title": "Lamps"]]),
                .init(method: "GET", path: "\(path)/chairs"),
            ]).send()
            #expect(responses.map(\.status) == [201, 404])
            #expect(responses.first?.body["data"]?["title"] == "Lamps")
            #expect(try await articles.read("lamps").title == "Lamps")
        }
        let tooMany = try await statusFailure(
            api.batch(Array(repeating: .init(method: "GET", path: "/"), count: 26)).send
        )
        #expect(tooMany.status == 400)
    }

    @Test("Kinto problems have details as an object or an array", arguments: TransportUnderTest.all)
    func problems(over transport: TransportUnderTest) async throws {
        let api = KintoAPI(over: transport)
        let missing = try await failure { try await Self.seeds(api).read("none") }
        #expect(missing.isNotFound)
        #expect(missing.problem(as: KintoProblem.self)?.details?["id"] == "none")

        let page = Self.seeds(api).endpoint([KintoAPI.Article].self) {
            GET("\(.resource)")
            Query("_limit", "five")
        }
        let invalid = try await statusFailure(page.send)
        #expect(invalid.status == 400)
        #expect(invalid.problem(as: KintoProblem.self)?.details?[0]?["location"] == "querystring")

        let forbidden = try await statusFailure { try await api.buckets.read("of-another-user") }
        #expect(forbidden.status == 403)
        #expect(forbidden.problem(as: KintoProblem.self)?.errno == 121)
    }

    @Test("A call to Kinto without a credential fails as unauthorized", arguments: TransportUnderTest.all)
    func unauthorized(over transport: TransportUnderTest) async throws {
        let anonymous =
            KintoAPI(over: transport).resource("buckets", of: KintoAPI.Bucket.self) { Authorization.none }
            as Resource<KintoAPI.Bucket, ReadOnly>
        let failure = try await statusFailure { try await anonymous.read("b") }
        #expect(failure.category == .unauthorized)
        #expect(failure.headerFields[.wwwAuthenticate]?.hasPrefix("Basic") == true)
    }

    @Test("A decoding error for a Kinto response has the path", arguments: TransportUnderTest.all)
    func wrongType(over transport: TransportUnderTest) async throws {
        struct Misread: Decodable, Sendable { let title: Int }
        let endpoint = Self.seeds(KintoAPI(over: transport)).endpoint([Misread].self) { GET("\(.resource)") }
        guard case .decoding(let failure) = try await failure(endpoint.send) else {
            Issue.record("not a decoding failure")
            return
        }
        #expect(failure.path == "data[0].title")
        #expect(failure.position?.line == 1)
    }
}

extension KintoAPI {
    init(over transport: TransportUnderTest) {
        self.init(Server.kinto.url, user: "admin", password: "s3cr3t", transport: transport.transport)
    }
}
