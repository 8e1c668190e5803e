import Foundation
import Waybill

extension Case {
    /// What the steps of a call cost, though nothing goes wrong.
    static func chain(to url: URL) -> Case {
        func shop(@ScopeBuilder _ clauses: () -> Scope) -> Endpoint<Product> {
            Client(url, transport: PreparedTransport(Answers.one), clauses).endpoint {
                POST("products")
                Envelope("data")
                Body(Product.Draft.lamp)
            }
        }
        let empty = shop {}
        let retry = shop { Retry() }
        let bounded = shop { Timeout(.seconds(60)) }
        let full = shop { everyStep }
        return Case(
            "a call that succeeds at once",
            [
                Subject("no clause") { try await empty.send() },
                Subject("Retry") { try await retry.send() },
                Subject("Timeout") { try await bounded.send() },
                Subject("every step") { try await full.send() },
            ]
        )
    }

    /// Every clause that puts a step in the way of a call.
    @ScopeBuilder private static var everyStep: Scope {
        Use(PassingOn())
        Observe { _ in }
        Cached(in: HTTPCache())
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
