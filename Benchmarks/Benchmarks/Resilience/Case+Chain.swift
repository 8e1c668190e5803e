import Foundation
import Waybill

extension Case {
    /// What the steps of a call cost, though nothing goes wrong.
    static func chain(to url: URL) -> Case {
        func create(@ScopeBuilder _ clauses: () -> Scope) -> Endpoint<Product> {
            Client(url, transport: PreparedTransport(Answers.one), clauses).endpoint {
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

    /// The same for the steps that matter to reading: none of it is kept by the cache, or all of it is there already.
    static func reading(from url: URL) -> Case {
        func read(_ cacheControl: String?, @ScopeBuilder _ clauses: () -> Scope) -> Endpoint<Product> {
            let transport = PreparedTransport(Answers.one, cacheControl: cacheControl)
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

    /// Every clause that puts a step in the way of a call.
    @ScopeBuilder private static func everyStep(_ cache: HTTPCache) -> Scope {
        Use(PassingOn())
        Observe { _ in }
        Cached(in: cache)
        Coalesced()
        IdempotencyKey()
        Retry()
        RetryBudget()
        Use(PassingOn(), around: .eachAttempt)
        Limit(concurrent: 100)
        Limit(1_000_000_000, per: .seconds(1))
        CircuitBreaker()
        Authorization(.bearer("token"))
        Signed(by: Unsigned())
        Timeout(.seconds(60))
    }
}

/// A middleware that does nothing.
private struct PassingOn: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        try await next(request)
    }
}

/// A signer that signs nothing.
private struct Unsigned: RequestSigner {
    func sign(_ request: inout HTTPRequest, body: Data?) async throws {}
}
