import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// A server that accepts one token at a time and issues the tokens `t1`, `t2` and so on.
actor Issuer {
    private(set) var accepted = 1
    private(set) var contexts: [RefreshingToken.RefreshContext] = []
    private var failures = 0

    var refreshCount: Int { contexts.count }

    /// Returns the response to a request.
    func response(to request: ReceivedRequest) -> StubResponse {
        guard request.headerFields[.authorization] == "Bearer t\(accepted)" else {
            return .json(#"{"error":"expired"}"#, status: 401).header("WWW-Authenticate", #"Bearer realm="shop""#)
        }
        return .json("\(accepted)")
    }

    /// Expires the current token, so that only the next one is accepted.
    func expire() { accepted += 1 }

    /// Makes the next `count` refreshes fail.
    func fail(_ count: Int) { failures = count }

    /// Returns the accepted token.
    func token(for context: RefreshingToken.RefreshContext) throws -> RefreshingToken.AccessToken {
        contexts.append(context)
        if failures > 0 {
            failures -= 1
            throw SignedOut()
        }
        return .init("t\(accepted)")
    }

    struct SignedOut: Error, Equatable {}
}

extension RefreshingToken {
    /// Creates a token that the issuer refreshes after a gate opens.
    convenience init(
        _ token: String?,
        of issuer: Issuer,
        gate: Gate? = nil,
        waitsForChallenge: Bool = false
    ) {
        self.init(token.map { .init($0) }, waitsForChallenge: waitsForChallenge) { context in
            await gate?.waitUntilOpen()
            return try await issuer.token(for: context)
        }
    }

    /// Waits until `count` calls are waiting for a refresh.
    func waitForWaiters(_ count: Int) async {
        await waitUntil { waiterCount >= count }
    }
}
