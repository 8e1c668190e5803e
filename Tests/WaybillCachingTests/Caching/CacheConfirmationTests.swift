import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill
@testable import WaybillCaching

@Suite("Updating a cached response with a 304 (RFC 9111, section 4.3.4)")
struct CacheConfirmationTests {
    /// Returns a bench whose responses are stale, and whose 304 responses have different fields.
    static func bench(_ fields: [String], confirming lines: [String]) -> CacheBench {
        let count = Lines()
        return CacheBench.serving { request in
            let number = count.add("")
            if request.headerFields.contains(.ifNoneMatch) {
                return StubResponse(status: 304, headerFields: HTTPFields(lines: ["Cache-Control: max-age=60"] + lines))
            }
            return .json(
                "\(number)",
                headers: HTTPFields(lines: ["Cache-Control: max-age=0", "ETag: \"a\""] + fields)
            )
        }
    }

    @Test(
        "A 304 with an old date or none counts from its arrival, so the validated response is fresh again",
        arguments: ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Date: yesterday", nil]
    )
    func date(line: String?) async throws {
        let bench = Self.bench(line.map { [$0] } ?? [], confirming: [])
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 100)
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 59)
        #expect(try await bench.number() == 1)
        #expect(bench.requestCount == 2)
        bench.date.advance(by: 1)
        #expect(try await bench.number() == 1)
        #expect(bench.requestCount == 3)
        #expect(bench.events.all == ["revalidated", "fresh", "revalidated"])
    }

    @Test("A 304's Vary field replaces that of the cached response")
    func vary() async throws {
        let bench = Self.bench(["Vary: X-A"], confirming: ["Vary: Accept-Language"])
        func number(_ language: String, _ other: String) async throws -> Int {
            try await bench.number {
                Header(.acceptLanguage, language)
                Header("X-A", other)
            }
        }
        #expect(try await number("en", "1") == 1)
        let bytes = await bench.cache.byteCount
        #expect(try await number("en", "1") == 1)
        #expect(await bench.cache.byteCount < bytes * 3 / 2)
        #expect(try await number("en", "2") == 1)
        #expect(bench.requestCount == 2)
        #expect(try await number("de", "1") == 3)
    }

    @Test("A cached response keeps its Vary field if the 304 has none")
    func sameVary() async throws {
        let bench = Self.bench(["Vary: Accept-Language"], confirming: [])
        for number in [1, 1, 1] { #expect(try await bench.number { Header(.acceptLanguage, "en") } == number) }
        #expect(bench.requestCount == 2)
        #expect(try await bench.number { Header(.acceptLanguage, "de") } == 3)
    }

    @Test(
        "A cached response is used once and then removed if its 304 has Vary: *",
        arguments: ["Vary: *", "Vary: Accept, *"]
    )
    func unknowable(line: String) async throws {
        let bench = Self.bench([], confirming: [line])
        #expect(try await bench.number() == 1)
        #expect(await bench.cache.byteCount > 0)
        #expect(try await bench.number() == 1)
        #expect(bench.events.all == ["revalidated"])
        #expect(await bench.cache.byteCount == 0)
        #expect(bench.cache.readingCount == 0)
    }
}
