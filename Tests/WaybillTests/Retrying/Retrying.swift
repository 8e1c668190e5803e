import Foundation
import Waybill
import WaybillTesting

/// A client whose waits are over at once, with what it talks to.
struct Retrying {
    let stub: StubTransport
    let clock = SkippingClock()
    let client: Client

    /// It is 2026-01-02 03:04:05 in GMT.
    static let date = Date(timeIntervalSince1970: 1_767_323_045)

    init(
        _ answers: Answers,
        @ScopeBuilder _ clauses: () -> Scope = {
            Retry(backoff: .exponential(from: .seconds(1), to: .seconds(20))).asScope
        }
    ) {
        stub = StubTransport(answers)
        client = Client(
            Shop.url,
            transport: stub,
            clock: clock,
            dates: DateSource { Self.date },
            randomness: .half,
            clauses
        )
    }

    /// Every request is answered in the same way.
    init(_ answer: Answer, @ScopeBuilder _ clauses: () -> Scope) {
        self.init(Answers().otherwise(.answer(answer)), clauses)
    }

    func call(_ method: HTTPRequest.Method = .get, @ScopeBuilder _ clauses: () -> Scope = { Scope() }) -> Endpoint<Void>
    {
        let scope = clauses()
        return client.endpoint {
            Route(method, .path("a"))
            scope
        }
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
    static func lost(_ phase: TransportPhase? = nil) -> TransportError { TransportError(.connectionLost, phase: phase) }
}
