import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("BodyLimits and cached responses", .inTurn, .safetyNet)
struct CacheBodyLimitsTests {
    /// Returns a bench whose responses have seven bytes.
    static func bench(_ directives: String, status: HTTPResponse.Status = 200) -> CacheBench {
        CacheBench.serving { request in
            if request.headerFields.contains(.ifNoneMatch), directives.contains("stale-if-error") {
                return .status(503)
            }
            let fields = HTTPFields(lines: ["Cache-Control: \(directives)", "ETag: \"a\""])
            return request.headerFields.contains(.ifNoneMatch)
                ? StubResponse(status: 304, headerFields: fields) : .json("1234567", status: status, headers: fields)
        }
    }

    @Test(
        "A cached body over the call's limit fails like a transferred one, whether fresh, stale, or validated",
        arguments: [
            ("max-age=60", "fresh"), ("max-age=0", "revalidated"), ("max-age=0, stale-while-revalidate=60", "stale"),
            ("max-age=0, stale-if-error=60", "stale"),
        ]
    )
    func success(directives: String, use: String) async throws {
        let bench = Self.bench(directives)
        #expect(try await bench.number() == 1_234_567)
        let endpoint: Endpoint<Int> = bench.client.endpoint {
            GET("a")
            BodyLimits(successBytes: 6)
        }
        let sent = await failure { try await endpoint.with { Cached.none }.send() }
        let kept = await failure { try await endpoint.send() }
        await bench.cache.waitForRevalidations()
        guard case .transport(let failure) = kept else {
            Issue.record("expected a body that is too large, not \(String(describing: kept))")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
        #expect(kept?.description == sent?.description)
        // On a busy machine, the background revalidation may be reported first.
        #expect(bench.events.all.filter { $0 == use || $0 != "revalidated" } == [use])
        #expect(try await bench.number { BodyLimits(successBytes: 7) } == 1_234_567)
    }

    @Test("If a second attempt validates a cached body over the limit, the error counts both attempts")
    func attempts() async throws {
        let count = Lines()
        let bench = CacheBench.serving { request in
            let number = count.add("")
            let fields = HTTPFields(lines: ["Cache-Control: max-age=0", "ETag: \"a\""])
            if number == 2 { return .status(503) }
            return number == 1 ? .json("1234567", headers: fields) : StubResponse(status: 304, headerFields: fields)
        }
        #expect(try await bench.number() == 1_234_567)
        let error = await failure {
            try await bench.client.get("a", as: Int.self) {
                BodyLimits(successBytes: 6)
                Retry(attempts: 2, backoff: .constant(.zero))
            }
        }
        #expect(error?.call.attempt == 2)
        #expect(bench.requestCount == 3)
    }

    @Test("A cached failed response is cut to the call's limit for failed bodies", arguments: [7, 6, 0])
    func failed(limit: Int) async throws {
        let bench = Self.bench("max-age=60", status: 404)
        _ = await failure { try await bench.client.get("a", as: Int.self) }
        let endpoint: Endpoint<Int> = bench.client.endpoint {
            GET("a")
            BodyLimits(failureBytes: limit)
        }
        guard
            case .status(let failure) = await failure({ try await endpoint.send() })
        else {
            Issue.record("expected a status")
            return
        }
        #expect(failure.body == Data("1234567".utf8.prefix(limit)))
        #expect(failure.isBodyTruncated == (limit < 7))
        #expect(bench.requestCount == 1)
        #expect(bench.events.all == ["fresh"])
    }

    @Test("A HEAD for a cached response succeeds even if the body is over the limit")
    func head() async throws {
        let bench = Self.bench("max-age=60")
        _ = try await bench.number()
        let endpoint: Endpoint<Void> = bench.client.endpoint {
            HEAD("a")
            BodyLimits(successBytes: 0)
        }
        try await endpoint.send()
        #expect(bench.requestCount == 1)
    }

    @Test("A response over the body limit is not replaced by a stale one, because the server has not failed")
    func longerThanBefore() async throws {
        let count = Lines()
        let bench = CacheBench.serving { _ in
            .json(
                count.add("") == 1 ? "1" : "1234567",
                headers: HTTPFields(lines: ["Cache-Control: max-age=0, stale-if-error=60", "ETag: \"a\""])
            )
        }
        #expect(try await bench.number() == 1)
        let error = await failure {
            try await bench.client.get("a", as: Int.self) { BodyLimits(successBytes: 6) }
        }
        guard case .transport = error else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(bench.events.all.isEmpty)
    }
}
