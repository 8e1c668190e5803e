import CallSupport
import Foundation
import TestSupport
import Waybill
import WaybillTesting

/// A client whose waits end immediately, with its stub and clock.
struct Retrying {
    let stub: StubTransport
    let clock = SkippingClock()
    let client: Client

    /// The current date for the client's calls: 2026-01-02 03:04:05 GMT.
    static let date = Date(timeIntervalSince1970: 1_767_323_045)

    init(
        _ responses: StubResponses,
        @Scope.Builder _ clauses: () -> Scope = {
            Retry(backoff: .exponential(from: .seconds(1), to: .seconds(20))).asScope
        }
    ) {
        stub = StubTransport(responses)
        client = Client(
            Shop.url,
            transport: stub,
            clock: clock,
            dates: Client.DateProvider { Self.date },
            randomNumberGenerator: .half,
            clauses
        )
    }

    /// Creates a client that receives the same response to every request.
    init(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope) {
        self.init(StubResponses().otherwise(.response(response)), clauses)
    }

    func call(_ method: HTTPRequest.Method = .get, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Endpoint<
        Void
    > {
        let scope = clauses()
        let endpoint: Endpoint<Void> = client.endpoint {
            Route(method, .path("a"))
            scope
        }
        // A QUERY request requires a body.
        return method == .query ? endpoint.with { Body.Member("a", 1) } : endpoint
    }
}

extension Retry {
    fileprivate var asScope: Scope {
        var scope = Scope()
        declare(in: &scope)
        return scope
    }
}

extension TransportError {
    static func lost(_ phase: TransportError.Phase? = nil) -> TransportError {
        TransportError(.connectionLost, phase: phase)
    }
}
