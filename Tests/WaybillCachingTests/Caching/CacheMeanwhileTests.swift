import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Race conditions of cache lookups", .inTurn, .safetyNet)
struct CacheMeanwhileTests {
    /// An in-memory cache with a hook after each lookup.
    private struct Interrupted: CacheStore {
        let store = MemoryStore(limit: 1_000_000)
        let interruption = Locked<(@Sendable () async throws -> Void)?>(nil)

        func responses(for key: CacheKey) async -> [StoredResponse] {
            let found = store.responses(for: key)
            try? await interruption.withLock { $0.take() }?()
            return found
        }

        func store(_ response: StoredResponse, as id: CacheEntryID, at now: Date) {
            store.store(response, as: id, at: now)
        }
        func touch(_ id: CacheEntryID) { store.touch(id) }
        func remove(_ id: CacheEntryID) { store.remove(id) }
        func removeAll(ofURL url: String) { store.removeAll(ofURL: url) }
        func removeAll() { store.removeAll() }
        func byteCount() -> Int { store.byteCount() }
    }

    @Test("A cached response invalidated by a change is not stored again by a later 304")
    func changeAfterLookUp() async throws {
        let store = Interrupted()
        // A server that identifies versions by date confirms the old version within the same second.
        let bench = CacheBench(
            HTTPFields(lines: ["Cache-Control: max-age=1", "Last-Modified: Sun, 06 Nov 1994 08:49:30 GMT"]),
            cache: HTTPCache(store, salt: [1], maximumBytes: 1_000_000, maximumEntryBytes: nil)
        )
        #expect(try await bench.number() == 1)
        bench.date.advance(by: 2)
        let client = bench.client
        store.interruption.withLock { $0 = { try await client.put("a", body: 1) } }
        #expect(try await bench.number() == 1)
        #expect(await bench.cache.byteCount == 0)
    }

    @Test("A cache lookup with any outcome leaves no state behind")
    func readings() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=1, stale-while-revalidate=5"]))
        for seconds in [0.0, 0, 3, 3, 9] {
            bench.date.advance(by: seconds)
            _ = try await bench.number()
            await bench.cache.waitForRevalidations()
            _ = try? await bench.number { Cached.Policy(.onlyIfCached) }
        }
        bench.date.advance(by: 100)
        _ = try? await bench.number { Cached.Policy(.onlyIfCached) }
        #expect(bench.cache.readingCount == 0)
    }

    @Test("A cached response is used once and then removed if its 304 has no-store")
    func confirmedNoMore() async throws {
        let bench = CacheBench.serving { request in
            request.headerFields.contains(.ifNoneMatch)
                ? StubResponse(
                    status: 304,
                    headerFields: HTTPFields(lines: ["Cache-Control: no-store", "ETag: \"a\""])
                )
                : .json("1", headers: HTTPFields(lines: ["ETag: \"a\""]))
        }
        #expect(try await bench.number() == 1)
        #expect(await bench.cache.byteCount > 0)
        #expect(try await bench.number() == 1)
        #expect(bench.events.all == ["revalidated"])
        #expect(await bench.cache.byteCount == 0)
    }

    @Test("A response that varies by a field set by middleware below the cache is not cached")
    func variedBelow() async throws {
        struct Language: Middleware {
            let field: HTTPField.Name

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                request.headerFields[field] = "de"
                return try await next(request)
            }
        }
        for (field, isKept) in [(HTTPField.Name.acceptLanguage, false), (.prefer, true)] {
            let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10", "Vary: Accept-Language"])) {
                Use(Language(field: field), around: .eachAttempt)
            }
            #expect(try await bench.number() == 1)
            #expect(try await bench.number() == (isKept ? 1 : 2))
        }
    }

    @Test("A response that varies by a field set by the signer is not cached")
    func variedBySignature() async throws {
        struct Tenant: Signed.Signer {
            func sign(_ request: inout HTTPRequest, body: Data?) async throws {
                request.headerFields[.acceptLanguage] = "de"
            }
        }
        let cache = HTTPCache()
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10", "Vary: Accept-Language"])) {
            Signed(by: Tenant())
        }
        for number in 1...2 { #expect(try await bench.number { Cached(in: cache, for: "ann") } == number) }
    }

    @Test("A failing token refresh is tried once per call, even if several steps need the credential")
    func failingRefresh() async throws {
        struct SignedOut: Error {}
        let tries = Lines()
        let tokens = RefreshingToken { _ in
            tries.add("")
            throw SignedOut()
        }
        let bench = CacheBench {
            Coalesced()
            Authorization(.bearer(refreshing: tokens))
        }
        let error = await failure { try await bench.client.get("a", as: Int.self) }
        guard case .authorization(let failure)? = error else {
            Issue.record("expected an authorization failure, not \(String(describing: error))")
            return
        }
        #expect(failure.underlying is SignedOut)
        #expect(tries.all.count == 1)
        #expect(bench.requestCount == 0)
    }

    @Test("A cache-only call without an available credential is a cache miss")
    func offline() async throws {
        struct Offline: Error {}
        let bench = CacheBench { Authorization(.bearer { throw Offline() }) }
        let error = await failure {
            try await bench.client.get("a", as: Int.self) { Cached.Policy(.onlyIfCached) }
        }
        guard case .middleware(let failure)? = error else {
            Issue.record("expected that nothing is cached, not \(String(describing: error))")
            return
        }
        #expect(failure.underlying is Cached.Policy.NotCached)
        #expect(bench.requestCount == 0)
    }

    @Test("A token refresh that delays a cache lookup is reported once")
    func toldRefresh() async throws {
        let told = Lines()
        let bench = CacheBench {
            Observe { if case .refreshed = $0.kind { told.add("") } }
            Authorization(.bearer(refreshing: RefreshingToken { _ in .init("t") }))
        }
        #expect(try await bench.number() == 1)
        #expect(told.all.count == 1)
    }
}
