import Foundation
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@Suite("A cache between calls and the server")
struct CacheTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var fields: [String] = ["Cache-Control: max-age=10"]
        var confirms = true
        var later = 5.0
        var mode = Cached.Policy.Mode.default
        var asks: String?
        let number: Int
        let requests: Int
        let use: String?
    }

    static let tagged = ["Cache-Control: max-age=10", "ETag: \"a\""]

    @Test(
        "A second call gets the cached response if it is fresh enough for the call",
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
                testDescription: "a heuristic",
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
            Cached.Policy(row.mode)
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

    @Test("A cached response has an Age and is otherwise unchanged")
    func response() async throws {
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

    @Test("A validated response is fresh again, including the fields named by no-cache")
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

    @Test("A 304 with another version's entity tag is ignored, and the full response is requested")
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

    @Test("A request gets the cached variant whose Vary fields match")
    func vary() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10", "Vary: Accept-Language"]))
        #expect(try await bench.number { Header(.acceptLanguage, "de") } == 1)
        #expect(try await bench.number { Header(.acceptLanguage, "en") } == 2)
        #expect(try await bench.number { Header(.acceptLanguage, "de") } == 1)
        #expect(try await bench.number { Header(.acceptLanguage, "en") } == 2)
        #expect(try await bench.number() == 3)
    }

    @Test("A request with another URL or query misses the cache")
    func keys() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]))
        #expect(try await bench.number() == 1)
        #expect(try await bench.number(at: "b") == 2)
        #expect(try await bench.number { Query("q", 1) } == 3)
        #expect(try await bench.number { Query("q", 2) } == 4)
        #expect(try await bench.number { Query("q", 1) } == 3)
    }
}

extension Scope {
    static func of(_ clause: some Scope.RepeatableClause) -> Scope {
        var scope = Scope()
        clause.declare(in: &scope)
        return scope
    }
}
