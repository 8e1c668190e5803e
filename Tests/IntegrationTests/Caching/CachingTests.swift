import Foundation
import Testing
import Waybill
import WaybillCaching

/// The texts noted by observers, on any task.
///
/// `@unchecked Sendable`: the texts are accessed only under the lock.
private final class Notes: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []

    var all: [String] { lock.withLock { texts } }

    /// The clause that notes response statuses from the wire and uses of the cache.
    var clause: Observe {
        Observe { [self] event in
            switch event.kind {
            case .head(let status): lock.withLock { texts.append("\(status.code)") }
            case .cached(let use): lock.withLock { texts.append("\(use)") }
            default: break
            }
        }
    }
}

@Suite("Versions and caches with real servers")
struct CachingTests {
    @Test(
        "A lost update rejected by Kinto contains the current version",
        .running(.kinto),
        arguments: TransportUnderTest.all
    )
    func kinto(over transport: TransportUnderTest) async throws {
        let api = KintoAPI(over: transport)
        try await withTemporary(KintoAPI.Bucket(id: uniqueName()), in: api.buckets) { bucket in
            try await api.collections(in: bucket.id).create(KintoAPI.Collection(id: "articles"))
            let articles = api.articles(in: "articles", of: bucket.id)
            let created = try await articles.create(.init(title: "Lamps", n: 1))
            let read = try await articles.endpoints.read(created.id).response()
            #expect(read.entityTag != nil)

            var mine = read.value
            mine.title = "Desk lamps"
            let theirs = try await articles.with { IfMatch(read) }.update(mine)
            mine.title = "Floor lamps"
            let lost = try #require(
                try await failure { try await articles.with { IfMatch(read) }.update(mine) }.lostUpdate
            )
            #expect(!lost.isConditionMissing)
            #expect(lost.version(as: KintoAPI.Article.self, at: "details", "existing") == theirs)
            let current = try await articles.endpoints.read(created.id).response()
            #expect(lost.entityTag == current.entityTag)

            let error = try await failure { try await articles.with { IfNoneMatch(.any) }.update(mine) }
            #expect(error.lostUpdate != nil)
            let tag = try #require(read.entityTag)
            #expect(try await failure { try await articles.with { IfMatch(tag) }.delete(created.id) }.lostUpdate != nil)
            try await articles.with { IfMatch(current) }.delete(created.id)
        }
    }

    @Test("Kinto's responses forbid caching", .running(.kinto), arguments: TransportUnderTest.all)
    func kintoForbids(over transport: TransportUnderTest) async throws {
        let (cache, notes) = (HTTPCache(), Notes())
        let articles = KintoTests.seeds(KintoAPI(over: transport)).with {
            Cached(in: cache)
            notes.clause
        }
        for _ in 1...2 { _ = try await articles.list() }
        #expect(notes.all == ["200", "200"])
        #expect(await cache.byteCount == 0)
    }

    @Test(
        "A cached Django response is revalidated until the entity changes",
        .running(.drf),
        arguments: TransportUnderTest.all
    )
    func django(over transport: TransportUnderTest) async throws {
        let api = DjangoAPI(over: transport)
        let (cache, notes) = (HTTPCache(), Notes())
        let items = api.items.with {
            Cached(in: cache)
            notes.clause
        }
        try await withTemporary(.init(name: uniqueName(), price: "12.50"), in: api.items) { item in
            #expect(try await items.read(item.id) == item)
            #expect(try await items.read(item.id) == item)
            #expect(notes.all == ["200", "304", "revalidated"])
            // Changed first without the cache, then through it.
            var changed = item
            for price in ["1.00", "2.00"] {
                changed.price = price
                try await (price == "1.00" ? api.items : items).update(changed)
                #expect(try await items.read(item.id) == changed)
            }
            #expect(notes.all == ["200", "304", "revalidated", "200", "200", "200"])

            let other = try #require(HTTPField.EntityTag(#""other""#))
            let error = try await failure { try await api.items.with { IfMatch(other) }.read(item.id) }
            #expect(error.lostUpdate != nil)
            #expect(error.lostUpdate?.version(as: DjangoAPI.Item.self) == nil)
        }
    }

    @Test("httpbin's responses are fresh for their max-age", .running(.httpbin), arguments: TransportUnderTest.all)
    func httpbin(over transport: TransportUnderTest) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(uniqueName())
        defer { try? FileManager.default.removeItem(at: directory) }
        for cache in [HTTPCache(), try HTTPCache.onDisk(at: directory)] {
            let (api, notes) = (HTTPBinAPI(over: transport), Notes())
            let timed: Endpoint<JSONValue> = api.endpoint {
                GET("cache/\(3600)")
                Cached(in: cache)
                notes.clause
            }
            let first = try await timed.response()
            let second = try await timed.response()
            #expect(second.body == first.body)
            #expect(second.url == first.url)
            #expect(second.headerFields["Age"] != nil)
            _ = try await timed.with { Cached.Policy(.reload) }.send()
            #expect(notes.all == ["200", "from the cache", "200"])
        }
    }

    @Test(
        "httpbin's tag has no quotation marks, so its date is the validator",
        .running(.httpbin),
        arguments: TransportUnderTest.all
    )
    func malformedTag(over transport: TransportUnderTest) async throws {
        let (api, notes) = (HTTPBinAPI(over: transport), Notes())
        let dated: Endpoint<JSONValue> = api.endpoint {
            GET("cache")
            Cached(in: HTTPCache(), heuristicFreshness: false)
            notes.clause
        }
        let first = try await dated.response()
        #expect(first.headerFields[.eTag] != nil)
        #expect(first.entityTag == nil)
        #expect(first.lastModified != nil)
        #expect(try await dated.response().body == first.body)
        #expect(notes.all == ["200", "304", "revalidated"])
    }

    @Test("Concurrent calls share a slow httpbin response", .running(.httpbin), arguments: TransportUnderTest.all)
    func shared(over transport: TransportUnderTest) async throws {
        let (api, notes) = (HTTPBinAPI(over: transport), Notes())
        let slow: Endpoint<JSONValue> = api.endpoint {
            GET("delay/\(1)")
            Coalesced()
            notes.clause
        }
        try await withThrowingTaskGroup(of: JSONValue.self) { group in
            for _ in 1...5 { group.addTask { try await slow.send() } }
            try await group.waitForAll()
        }
        #expect(
            notes.all.sorted() == [
                "200", "shared with another call", "shared with another call", "shared with another call",
                "shared with another call",
            ]
        )
    }
}
