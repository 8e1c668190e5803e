import Foundation
import Waybill
import WaybillCaching
import WaybillDescription
import WaybillLimits

extension Case {
    /// Returns a case for the cost of the steps in a successful POST.
    static func chain(to url: URL) -> Case {
        func create(@Scope.Builder _ clauses: () -> Scope) -> Endpoint<Product> {
            Client(url, transport: PreparedTransport(ResponseBodies.one), clauses).endpoint {
                POST("products")
                Envelope("data")
                Body(Product.Draft.lamp)
            }
        }
        let empty = create {}
        let retry = create { Retry() }
        let bounded = create { Timeout(.seconds(60)) }
        let full = create { everyStep(HTTPCache()) }
        return Case(
            "a POST that succeeds at once",
            [
                Subject("no clause") { try await empty.send() },
                Subject("Retry") { try await retry.send() },
                Subject("Timeout") { try await bounded.send() },
                Subject("every step") { try await full.send() },
            ]
        )
    }

    /// Returns a case for the steps of a GET, with a cache that stores nothing or already contains the response.
    static func reading(from url: URL) -> Case {
        func read(_ cacheControl: String?, @Scope.Builder _ clauses: () -> Scope) -> Endpoint<Product> {
            let transport = PreparedTransport(ResponseBodies.one, cacheControl: cacheControl)
            return Client(url, transport: transport, clauses).endpoint {
                GET("products/7")
                Envelope("data")
            }
        }
        let empty = read(nil) {}
        let shared = read(nil) { Coalesced() }
        let missed = read("no-store") { Cached(in: HTTPCache()) }
        let found = read("max-age=86400") { Cached(in: HTTPCache()) }
        let full = read("no-store") { everyStep(HTTPCache()) }
        return Case(
            "a GET that succeeds at once",
            [
                Subject("no clause") { try await empty.send() },
                Subject("Coalesced") { try await shared.send() },
                Subject("Cached, asked for") { try await missed.send() },
                Subject("Cached, found") { try await found.send() },
                Subject("every step") { try await full.send() },
            ]
        )
    }

    /// Returns a case for the cost of comparing a page of products with its declared type.
    static func drift(from url: URL) -> Case {
        func read(@Scope.Builder _ clauses: () -> Scope) -> Endpoint<[Product]> {
            Client(url, transport: PreparedTransport(ResponseBodies.page), clauses).endpoint {
                GET("products")
                Envelope("data")
            }
        }
        let empty = read {}
        let observed = read { Observe { _ in } }
        let all = read { Observe(DriftDetector()) }
        let few = read { Observe(DriftDetector(sampleRate: 0.01)) }
        return Case(
            "a GET of a page, compared with its type",
            [
                Subject("no clause") { try await empty.send().count },
                Subject("Observe, a closure") { try await observed.send().count },
                Subject("DriftDetector, 1 of 100") { try await few.send().count },
                Subject("DriftDetector, all") { try await all.send().count },
            ]
        )
    }

    /// Returns every clause that adds a step to a call.
    @Scope.Builder private static func everyStep(_ cache: HTTPCache) -> Scope {
        Use(PassingOn())
        Observe { _ in }
        Cached(in: cache)
        Coalesced()
        IdempotencyKey()
        Retry()
        Retry.Budget()
        Use(PassingOn(), around: .eachAttempt)
        Limit(concurrent: 100)
        Limit(1_000_000_000, per: .seconds(1))
        CircuitBreaker()
        Authorization(.bearer("token"))
        Signed(by: Unsigned())
        Timeout(.seconds(60))
    }
}

/// A middleware that forwards requests unchanged.
private struct PassingOn: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        try await next(request)
    }
}

/// A signer that leaves requests unchanged.
private struct Unsigned: Signed.Signer {
    func sign(_ request: inout HTTPRequest, body: Data?) async throws {}
}
