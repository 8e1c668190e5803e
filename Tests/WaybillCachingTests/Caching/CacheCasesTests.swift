import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@Suite("Special requests and responses of a cache")
struct CacheCasesTests {
    @Test("A HEAD is served from the fresh response to a GET; a newer HEAD that contradicts it removes it")
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

    @Test("A cacheable 404 is cached, and fails the next call without a request")
    func failures() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]), status: 404)
        for _ in 1...2 {
            let error = await failure { try await bench.client.get("a", as: Int.self) }
            #expect(error?.isNotFound == true)
        }
        #expect(bench.requestCount == 1)
    }

    @Test(
        "A cache-only call fails on a miss and on a stale response, and sends nothing",
        arguments: [false, true]
    )
    func onlyIfCached(isStale: Bool) async throws {
        let bench = CacheBench(HTTPFields(lines: CacheTests.tagged))
        if isStale {
            _ = try await bench.number()
            bench.date.advance(by: 11)
        }
        let before = bench.requestCount
        let policies: [Scope] = [.of(Cached.Policy(.onlyIfCached)), .of(Header(.cacheControl, "only-if-cached"))]
        for policy in policies {
            let error = await failure {
                try await bench.client.get("a", as: Int.self) { policy }
            }
            #expect(error?.isNotCached == true)
        }
        #expect(bench.requestCount == before)
        if isStale {
            let stale = try await bench.number {
                Cached.Policy(.onlyIfCached)
                Header(.cacheControl, "max-stale")
            }
            #expect(stale == 1)
        }
    }

    @Test(
        "A request whose conditions or ranges a stored response cannot satisfy bypasses the cache",
        arguments: [
            "If-Match: \"a\"", "If-Range: \"a\"", "If-Unmodified-Since: \(FreshnessTests.hourAgo.dropFirst(15))",
            "Range: bytes=0-1,3-4", "Range: bytes=7-", "Range: items=0-1", "Range: bytes=-", "Range: bytes=-0",
            "Range: bytes=2-1", "If-Modified-Since: yesterday",
        ]
    )
    func conditions(line: String) async throws {
        let bench = CacheBench(HTTPFields(lines: CacheTests.tagged), confirms: false)
        _ = try await bench.number()
        let field = try #require(HTTPFields(lines: [line]).first)
        #expect(try await bench.number { Header(field.name, field.value) } == 2)
        #expect(try await bench.number() == 1)
    }

    @Test(
        "A fresh stored response satisfies the caller's condition or range without a request",
        arguments: [
            ("Range: bytes=0-1", 206, "01", "bytes 0-1/5"), ("Range: bytes=3-", 206, "34", "bytes 3-4/5"),
            ("Range: bytes=-2", 206, "34", "bytes 3-4/5"), ("Range: bytes=4-99", 206, "4", "bytes 4-4/5"),
            ("Range: bytes=-99", 206, "01234", "bytes 0-4/5"), ("Range: BYTES=0-0", 206, "0", "bytes 0-0/5"),
            ("If-None-Match: \"a\"", 304, "", nil), ("If-None-Match: W/\"a\"", 304, "", nil),
            ("If-None-Match: \"b\", \"a\"", 304, "", nil), ("If-None-Match: *", 304, "", nil),
            ("If-None-Match: \"b\"", 200, "01234", nil), ("If-None-Match: \"aa\"", 200, "01234", nil),
            ("If-Modified-Since: Sun, 06 Nov 1994 07:00:00 GMT", 304, "", nil),
            ("If-Modified-Since: Sun, 06 Nov 1994 06:59:59 GMT", 200, "01234", nil),
        ] as [(String, Int, String, String?)]
    )
    func satisfied(line: String, code: Int, body: String, range: String?) async throws {
        let fields = HTTPFields(lines: [
            "Cache-Control: max-age=60", "ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 07:00:00 GMT",
        ])
        let bench = CacheBench.serving { _ in StubResponse(headerFields: fields, body: Data("01234".utf8)) }
        let endpoint: Endpoint<Void> = bench.client.endpoint {
            GET("a")
            Success(.success, 304)
        }
        try await endpoint.send()
        let field = try #require(HTTPFields(lines: [line]).first)
        let response = try await endpoint.with { Header(field.name, field.value) }.response()
        #expect(response.status.code == code)
        #expect(response.body == Data(body.utf8))
        #expect(response.headerFields[.contentRange] == range)
        #expect(bench.requestCount == 1)
        // The partial or conditional response does not replace the stored one.
        #expect(try await endpoint.response().body == Data("01234".utf8))
        #expect(bench.requestCount == 1)
        // A stale response satisfies no condition or range.
        bench.date.advance(by: 61)
        _ = try await endpoint.with { Header(field.name, field.value) }.response()
        #expect(bench.requestCount == 2)
    }

    @Test("A range of a content-coded response is requested from the server")
    func codedRange() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=60", "Content-Encoding: gzip"]))
        _ = try await bench.number()
        #expect(try await bench.number { Header("Range", "bytes=0-0") } == 2)
    }

    @Test("With the policy .revalidate, a request tells caches along the way to revalidate")
    func revalidation() async throws {
        let bench = CacheBench(HTTPFields(lines: CacheTests.tagged))
        _ = try await bench.number()
        _ = try await bench.number { Cached.Policy(.revalidate) }
        #expect(bench.stub.requests.last?.headerFields[.cacheControl] == "max-age=0")
        _ = try await bench.number {
            Cached.Policy(.revalidate)
            Header(.cacheControl, "no-cache")
        }
        #expect(bench.stub.requests.last?.headerFields[.cacheControl] == "no-cache")
    }

    @Test("A cache-only PUT, OPTIONS, or uncached call fails and sends nothing")
    func nothingSent() async throws {
        let bench = CacheBench(HTTPFields(lines: CacheTests.tagged))
        let change: Endpoint<Void> = bench.client.endpoint { PUT("a") }
        let options: Endpoint<Void> = bench.client.endpoint { OPTIONS("a") }
        let uncached: Endpoint<Void> = bench.client.endpoint {
            GET("a")
            Cached.none
        }
        for endpoint in [change, options, uncached] {
            let only = endpoint.with { Cached.Policy(.onlyIfCached) }
            let error = await failure { try await only.send() }
            #expect(error?.isNotCached == true)
        }
        #expect(bench.requestCount == 0)
    }

    @Test("An interrupted body is not cached")
    func brokenBody() async throws {
        let bench = CacheBench.serving { _ in
            StubResponse(headerFields: HTTPFields(lines: ["Cache-Control: max-age=10"]), body: Data("12345".utf8))
                .cutInside
        }
        for _ in 1...2 {
            let error = await failure { try await bench.client.get("a", as: Int.self) }
            guard case .transport = error else {
                Issue.record("expected a transport failure")
                return
            }
        }
        #expect(bench.requestCount == 2)
        #expect(await bench.cache.byteCount == 0)
    }

    @Test("A redirected response is not cached under the redirecting URL")
    func redirect() async throws {
        let bench = CacheBench.serving { request in
            request.url.path.hasSuffix("/a")
                ? .redirect(to: "/v1/b") : .json("1", headers: HTTPFields(lines: ["Cache-Control: max-age=10"]))
        }
        for _ in 1...2 { #expect(try await bench.number() == 1) }
        #expect(bench.requestCount == 4)
    }

    @Test("Cached.none disables the cache. A zero-byte cache and an empty user ID are declaration errors")
    func clauses() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]))
        #expect(try await bench.number { Cached.none } == 1)
        #expect(try await bench.number { Cached.none } == 2)
        for clause in [
            Cached(in: HTTPCache(maximumBytes: 0)), Cached(in: HTTPCache(maximumBytes: -5)),
            Cached(in: HTTPCache(), for: ""),
        ] {
            let error = await failure {
                try await bench.client.get("a", as: Int.self) { clause }
            }
            guard case .request(let failure) = error else {
                Issue.record("expected a declaration error")
                return
            }
            #expect(failure.declarationErrors.map(\.clause) == ["Cached"])
        }
        #expect(bench.requestCount == 2)
    }
}

extension StubResponse {
    /// The response, cut in the middle of its body.
    fileprivate var cutInside: StubResponse { closed(.insideBody) }
}
