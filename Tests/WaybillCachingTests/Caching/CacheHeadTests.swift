import Testing
import Waybill
import WaybillTesting

@Suite("HEAD and cached responses (RFC 9111, section 4.3.5)")
struct CacheHeadTests {
    @Test(
        "A HEAD with another Content-Length for the same content coding removes the cached response",
        arguments: [
            ([], [], true), ([], ["Content-Length: 1"], true), ([], ["Content-Length: 2"], false),
            ([], ["Content-Length: 0"], false), ([], ["Content-Length: one"], true),
            ([], ["Content-Length: 9", "Content-Encoding: gzip"], true),
            (["Content-Encoding: gzip", "Content-Length: 9"], ["Content-Length: 7"], true),
            (["Content-Encoding: gzip", "Content-Length: 9"], ["Content-Length: 9", "Content-Encoding: gzip"], true),
            (["Content-Encoding: gzip", "Content-Length: 9"], ["Content-Length: 8", "Content-Encoding: gzip"], false),
            (["Content-Encoding: gzip"], ["Content-Length: 8", "Content-Encoding: gzip"], true),
            (["Content-Length: 1"], ["Content-Length: 1", "ETag: \"a\""], true),
            (["Content-Length: 1"], ["Content-Length: 1", "ETag: \"b\""], false),
        ] as [([String], [String], Bool)]
    )
    func length(fields: [String], lines: [String], isKept: Bool) async throws {
        let bench = CacheBench.serving { request in
            request.method == .head
                ? StubResponse(headerFields: HTTPFields(lines: lines))
                : .json("1", headers: HTTPFields(lines: ["Cache-Control: max-age=10", "ETag: \"a\""] + fields))
        }
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 20)
        _ = try await bench.client.head("a")
        #expect(bench.requestCount == 2)
        #expect((await bench.cache.byteCount > 0) == isKept)
    }
}
