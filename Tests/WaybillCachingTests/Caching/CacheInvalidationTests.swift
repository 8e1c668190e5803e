import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@Suite("Cache invalidation (RFC 9111, section 4.4)", .inTurn, .safetyNet)
struct CacheInvalidationTests {
    static let fresh = HTTPFields(lines: ["Cache-Control: max-age=1000"])

    /// Returns a bench whose changes get a status and fields.
    ///
    /// Each GET gets a new number.
    static func bench(_ status: HTTPResponse.Status, _ fields: HTTPFields = []) -> CacheBench {
        let count = Lines()
        return CacheBench.serving { request in
            guard request.method == .get else { return StubResponse(status: status, headerFields: fields) }
            let number = count.add("")
            return .json("\(number)", headers: Self.fresh)
        }
    }

    @Test(
        "A successful change, a 412, and a failed gateway invalidate the cached response, but other failures do not",
        arguments: [
            (200, true), (204, true), (201, true), (303, true), (500, false), (503, false), (400, false), (404, false),
            (409, false), (412, true), (428, false), (502, true), (504, true),
        ]
    )
    func statuses(code: Int, forgets: Bool) async throws {
        let bench = Self.bench(HTTPResponse.Status(code: code))
        #expect(try await bench.number() == 1)
        #expect(try await bench.number(at: "b") == 2)
        _ = try? await bench.client.put("a", body: 1)
        #expect(try await bench.number() == (forgets ? 3 : 1))
        #expect(try await bench.number(at: "b") == 2)
    }

    @Test("A read after a 412 returns the server's current version, not the cached one")
    func lostUpdate() async throws {
        let changes = Lines()
        let bench = CacheBench.serving { request in
            let version = changes.all.count
            let tag = "\"\(version)\""
            if request.method == .put { return .status(request.headerFields[.ifMatch] == tag ? 204 : 412) }
            return .json("\(version)", headers: HTTPFields(lines: ["Cache-Control: max-age=1000", "ETag: \(tag)"]))
        }
        let endpoint: Endpoint<Int> = bench.client.endpoint { GET("a") }
        let first = try await endpoint.response()
        changes.add("by another client")
        let change: Endpoint<Void> = bench.client.endpoint {
            PUT("a")
            Body(7)
        }
        let error = await failure { try await change.with { IfMatch(first) }.send() }
        #expect(error?.lostUpdate != nil)
        let second = try await endpoint.response()
        #expect(second.value == 1)
        try await change.with { IfMatch(second) }.send()
    }

    @Test("A DELETE without a response invalidates the cached response")
    func failed() async throws {
        let count = Lines()
        let bench = CacheBench.serving { request in
            guard request.method == .get else { throw TransportError(.connectionLost) }
            let number = count.add("")
            return .json("\(number)", headers: Self.fresh)
        }
        _ = try await bench.number()
        _ = try? await bench.client.delete("a")
        #expect(try await bench.number() == 2)
    }

    @Test(
        "A change's Location and Content-Location invalidate responses of the same origin",
        arguments: [
            ("Location", "/v1/b", true), ("Content-Location", "b", true),
            ("Location", "https://shop.example/v1/b", true),
            ("Location", "https://other.example/v1/b", false), ("Location", "http://shop.example/v1/b", false),
            ("Location", "::", false), ("Link", "/v1/b", false),
        ]
    )
    func named(field: String, url: String, forgets: Bool) async throws {
        let bench = Self.bench(201, HTTPFields(lines: ["\(field): \(url)"]))
        _ = try await bench.number(at: "b")
        try await bench.client.post("a", body: 1)
        #expect(try await bench.number(at: "b") == (forgets ? 2 : 1))
    }

    @Test("A link with a replaced origin invalidates the response cached there", arguments: [true, false])
    func replacedOrigin(isDeclared: Bool) async throws {
        let bench = Self.bench(201, HTTPFields(lines: ["Location: http://internal:8080/v1/b"]))
        _ = try await bench.number(at: "b")
        let change: Endpoint<Void> = bench.client.endpoint {
            POST("a")
            Body(1)
            if isDeclared { Route.Links(to: .baseOrigin) }
        }
        try await change.send()
        #expect(try await bench.number(at: "b") == (isDeclared ? 2 : 1))
    }

    @Test("A change does not invalidate cached responses of another origin")
    func otherOrigin() async throws {
        let other = try #require(URL(string: "https://other.example/v1"))
        let bench = Self.bench(201, HTTPFields(lines: ["Location: https://other.example/v1/b"]))
        let stub = StubTransport { _ in .json("7", headers: Self.fresh) }
        let neighbour = Client(other, transport: stub, dates: Client.DateProvider { bench.date.now }) {
            Cached(in: bench.cache)
        }
        for _ in 1...2 {
            #expect(try await neighbour.get("b", as: Int.self) == 7)
            try await bench.client.post("a", body: 1)
        }
        #expect(stub.requests.count == 1)
    }

    @Test("A change invalidates the cached responses of every user and variant")
    func everyUser() async throws {
        let bench = Self.bench(204)
        func number(_ token: String) async throws -> Int {
            try await bench.number { Authorization(.bearer(token)) }
        }
        #expect(try await number("ann") == 1)
        #expect(try await number("bob") == 2)
        try await bench.client.delete("a")
        #expect(try await number("ann") == 3)
        #expect(try await number("bob") == 4)
    }

    @Test("A response in flight during a change to its URL is not cached")
    func race() async throws {
        let (gate, count) = (Gate(), Lines())
        let bench = CacheBench.serving { request in
            guard request.method == .get else { return .status(204) }
            let number = count.add("")
            if number == 1 {
                await gate.waitUntilOpen()
                return .json("1", headers: Self.fresh)
            }
            return .json("2", headers: Self.fresh)
        }
        async let early = bench.number()
        await waitUntil { count.all.count == 1 }
        try await bench.client.delete("a")
        gate.open()
        #expect(try await early == 1)
        #expect(try await bench.number() == 2)
        #expect(try await bench.number() == 2)
    }

    @Test("An app can remove the cached responses of a URL, or all of them")
    func byHand() async throws {
        let bench = Self.bench(204)
        #expect(try await bench.number() == 1)
        #expect(try await bench.number(at: "b") == 2)
        await bench.cache.remove(Shop.url.appendingPathComponent("a"))
        #expect(try await bench.number() == 3)
        #expect(try await bench.number(at: "b") == 2)
        await bench.cache.removeAll()
        #expect(await bench.cache.byteCount == 0)
        #expect(try await bench.number(at: "b") == 4)
    }
}
