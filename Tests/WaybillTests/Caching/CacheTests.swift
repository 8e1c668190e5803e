import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("A cache between calls and the server")
struct CacheTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var fields: [String] = ["Cache-Control: max-age=10"]
        var confirms = true
        var later = 5.0
        var mode = CachePolicy.Mode.default
        var asks: String?
        let number: Int
        let requests: Int
        let use: String?
    }

    static let tagged = ["Cache-Control: max-age=10", "ETag: \"a\""]

    @Test(
        "A second call gets what the first one got, as far as it may",
        arguments: [
            Row(testDescription: "fresh", number: 1, requests: 1, use: "fresh"),
            Row(testDescription: "not fresh, without a validator", later: 11, number: 2, requests: 2, use: nil),
            Row(
                testDescription: "not fresh, confirmed",
                fields: tagged,
                later: 11,
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
            Row(
                testDescription: "not fresh, replaced",
                fields: tagged,
                confirms: false,
                later: 11,
                number: 2,
                requests: 2,
                use: nil
            ),
            Row(
                testDescription: "a tag alone",
                fields: ["ETag: \"a\""],
                later: 0,
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
            Row(
                testDescription: "a date alone",
                fields: [FreshnessTests.hourAgo],
                later: 400,
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
            Row(
                testDescription: "a guess",
                fields: [FreshnessTests.hourAgo],
                later: 300,
                number: 1,
                requests: 1,
                use: "fresh"
            ),
            Row(testDescription: "nothing said", fields: [], later: 0, number: 2, requests: 2, use: nil),
            Row(
                testDescription: "no-store",
                fields: ["Cache-Control: no-store"],
                later: 0,
                number: 2,
                requests: 2,
                use: nil
            ),
            Row(
                testDescription: "no-cache",
                fields: ["Cache-Control: no-cache, max-age=10", "ETag: \"a\""],
                later: 0,
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
            Row(testDescription: "reload", fields: tagged, mode: .reload, number: 2, requests: 2, use: nil),
            Row(
                testDescription: "revalidate",
                fields: tagged,
                mode: .revalidate,
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
            Row(
                testDescription: "only if cached",
                fields: tagged,
                mode: .onlyIfCached,
                number: 1,
                requests: 1,
                use: "fresh"
            ),
            Row(testDescription: "no store", fields: tagged, mode: .noStore, number: 2, requests: 2, use: nil),
            Row(testDescription: "a request's max-age", asks: "max-age=4", number: 2, requests: 2, use: nil),
            Row(
                testDescription: "a request's max-stale",
                later: 60,
                asks: "max-stale=50",
                number: 1,
                requests: 1,
                use: "stale"
            ),
            Row(
                testDescription: "a request's no-cache",
                fields: tagged,
                asks: "no-cache",
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
            Row(testDescription: "a request's no-store", asks: "no-store", number: 2, requests: 2, use: nil),
            Row(
                testDescription: "a clock set back",
                fields: tagged,
                later: -60,
                number: 1,
                requests: 2,
                use: "revalidated"
            ),
        ]
    )
    func second(row: Row) async throws {
        let bench = CacheBench(HTTPFields(lines: row.fields), confirms: row.confirms)
        #expect(try await bench.number() == 1)
        bench.date.advance(by: row.later)
        let second = try await bench.number {
            CachePolicy(row.mode)
            Header(.cacheControl, row.asks)
        }
        #expect(second == row.number)
        #expect(bench.requestCount == row.requests)
        #expect(bench.events.all == [row.use].compactMap { $0 })
        if row.use == "revalidated" {
            let conditions = bench.stub.requests.last?.headerFields
            #expect(conditions?[.ifNoneMatch] == (row.fields.contains("ETag: \"a\"") ? "\"a\"" : nil))
            #expect(
                conditions?[.ifModifiedSince]
                    == (row.fields.contains(FreshnessTests.hourAgo) ? "Sun, 06 Nov 1994 07:49:37 GMT" : nil)
            )
        }
        if row.mode == .reload { #expect(bench.stub.requests.last?.headerFields[.cacheControl] == "no-cache") }
    }

    @Test("A stored answer says how old it is, and is the same otherwise")
    func answer() async throws {
        let bench = CacheBench([
            HTTPField(name: .cacheControl, value: "max-age=10"), HTTPField(name: .contentType, value: "text/a"),
        ])
        let endpoint: Endpoint<Data> = bench.client.endpoint { GET("a") }
        let first = try await endpoint.response()
        bench.date.advance(by: 7.9)
        let second = try await endpoint.response()
        #expect(second.headerFields["Age"] == "7")
        #expect(second.headerFields[.contentType] == "text/a")
        #expect(second.body == first.body)
        #expect(second.url == first.url)
        #expect(second.status == first.status)
        #expect(bench.requestCount == 1)
    }

    @Test("Once confirmed, it is fresh again; fields that may not be reused without that come back with it")
    func confirmed() async throws {
        let bench = CacheBench(
            HTTPFields(lines: ["Cache-Control: max-age=10, no-cache=\"X-User\"", "ETag: \"a\"", "X-User: ann"])
        )
        let endpoint: Endpoint<Data> = bench.client.endpoint { GET("a") }
        #expect(try await endpoint.response().headerFields["X-User"] == "ann")
        #expect(try await endpoint.response().headerFields["X-User"] == nil)
        bench.date.advance(by: 11)
        #expect(try await endpoint.response().headerFields["X-User"] == "ann")
        bench.date.advance(by: 9)
        #expect(try await endpoint.send() == Data("1".utf8))
        #expect(bench.requestCount == 2)
    }

    @Test("A 304 about another version is not believed: the server is asked again in full")
    func otherVersion() async throws {
        let bench = CacheBench.serving { request in
            request.headerFields.contains(.ifNoneMatch)
                ? .status(304, headers: [HTTPField(name: .eTag, value: "\"b\"")])
                : .json("\(request.headerFields.count)", headers: [HTTPField(name: .eTag, value: "\"a\"")])
        }
        let first = try await bench.number()
        #expect(try await bench.number { Header("X-A", "1") } == first + 1)
        #expect(bench.requestCount == 3)
        #expect(bench.stub.requests.last?.headerFields.contains(.ifNoneMatch) == false)
    }

    @Test("Of a URL's answers each request gets the one that was chosen by the same fields")
    func vary() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10", "Vary: Accept-Language"]))
        #expect(try await bench.number { Header(.acceptLanguage, "de") } == 1)
        #expect(try await bench.number { Header(.acceptLanguage, "en") } == 2)
        #expect(try await bench.number { Header(.acceptLanguage, "de") } == 1)
        #expect(try await bench.number { Header(.acceptLanguage, "en") } == 2)
        #expect(try await bench.number() == 3)
    }

    @Test("Another URL, query or method is another answer")
    func keys() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]))
        #expect(try await bench.number() == 1)
        #expect(try await bench.number(at: "b") == 2)
        #expect(try await bench.number { Query("q", 1) } == 3)
        #expect(try await bench.number { Query("q", 2) } == 4)
        #expect(try await bench.number { Query("q", 1) } == 3)
    }

    @Test("A HEAD is answered from what a GET got, while that is fresh, and unmakes what it contradicts")
    func head() async throws {
        let tag = Lines()
        tag.add("a")
        let bench = CacheBench.serving { request in
            .json("1", headers: HTTPFields(lines: ["Cache-Control: max-age=10", "ETag: \"\(tag.all.last ?? "")\""]))
        }
        _ = try await bench.number()
        let head = try await bench.client.head("a")
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(bench.requestCount == 1)
        bench.date.advance(by: 11)
        _ = try await bench.client.head("a")
        #expect(bench.stub.requests.last?.headerFields.contains(.ifNoneMatch) == false)
        #expect(await bench.cache.byteCount > 0)
        tag.add("b")
        _ = try await bench.client.head("a")
        #expect(await bench.cache.byteCount == 0)
    }

    @Test("A failure is kept where HTTP says so, and fails again")
    func failures() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]), status: 404)
        for _ in 1...2 {
            let error = await failure { () async throws(APIError) in try await bench.client.get("a", as: Int.self) }
            #expect(error?.isNotFound == true)
        }
        #expect(bench.requestCount == 1)
    }

    @Test(
        "Nothing in the cache that may be used: a call that is to use nothing else fails, and sends nothing",
        arguments: [false, true]
    )
    func onlyIfCached(isStale: Bool) async throws {
        let bench = CacheBench(HTTPFields(lines: Self.tagged))
        if isStale {
            _ = try await bench.number()
            bench.date.advance(by: 11)
        }
        let before = bench.requestCount
        let policies: [Scope] = [.of(CachePolicy(.onlyIfCached)), .of(Header(.cacheControl, "only-if-cached"))]
        for policy in policies {
            let error = await failure { () async throws(APIError) in
                try await bench.client.get("a", as: Int.self) { policy }
            }
            #expect(error?.isNotCached == true)
        }
        #expect(bench.requestCount == before)
        if isStale {
            let stale = try await bench.number {
                CachePolicy(.onlyIfCached)
                Header(.cacheControl, "max-stale")
            }
            #expect(stale == 1)
        }
    }

    @Test(
        "A request with conditions or for a part is the caller's own business",
        arguments: [
            "If-None-Match: \"a\"", "If-Modified-Since: \(FreshnessTests.hourAgo.dropFirst(15))", "Range: bytes=0-1",
            "If-Match: \"a\"",
        ]
    )
    func conditions(line: String) async throws {
        let bench = CacheBench(HTTPFields(lines: Self.tagged), confirms: false)
        _ = try await bench.number()
        let field = try #require(HTTPFields(lines: [line]).first)
        #expect(try await bench.number { Header(field.name, field.value) } == 2)
        #expect(try await bench.number() == 1)
    }

    @Test("A body that breaks off is never kept")
    func brokenBody() async throws {
        let bench = CacheBench.serving { _ in
            Answer(headerFields: HTTPFields(lines: ["Cache-Control: max-age=10"]), body: Data("12345".utf8)).cutInside
        }
        for _ in 1...2 {
            let error = await failure { () async throws(APIError) in try await bench.client.get("a", as: Int.self) }
            guard case .transport = error else {
                Issue.record("expected a transport failure")
                return
            }
        }
        #expect(bench.requestCount == 2)
        #expect(await bench.cache.byteCount == 0)
    }

    @Test("An answer that a redirect led to is not kept for the URL that was asked")
    func redirect() async throws {
        let bench = CacheBench.serving { request in
            request.url.path.hasSuffix("/a")
                ? .redirect(to: "/v1/b") : .json("1", headers: HTTPFields(lines: ["Cache-Control: max-age=10"]))
        }
        for _ in 1...2 { #expect(try await bench.number() == 1) }
        #expect(bench.requestCount == 4)
    }

    @Test("No cache, a cache without room, and a nameless user")
    func clauses() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]))
        #expect(try await bench.number { Cached.none } == 1)
        #expect(try await bench.number { Cached.none } == 2)
        for clause in [
            Cached(in: HTTPCache(bytes: 0)), Cached(in: HTTPCache(bytes: -5)), Cached(in: HTTPCache(), for: ""),
        ] {
            let error = await failure { () async throws(APIError) in
                try await bench.client.get("a", as: Int.self) { clause }
            }
            guard case .request(let failure) = error else {
                Issue.record("expected a mistake")
                return
            }
            #expect(failure.mistakes.map(\.clause) == ["Cached"])
        }
        #expect(bench.requestCount == 2)
    }
}

extension Scope {
    static func of(_ clause: some RepeatableClause) -> Scope {
        var scope = Scope()
        clause.declare(in: &scope)
        return scope
    }
}

extension Answer {
    /// The answer, cut in the middle of its body.
    fileprivate var cutInside: Answer { closed(.insideBody) }
}
