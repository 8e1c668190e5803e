import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// A server that accepts one token at a time, and the issuer of the tokens `t1`, `t2` and so on.
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

    /// Lets the current token expire: only the next one is accepted.
    func expire() { accepted += 1 }

    /// Lets the next `count` refreshes fail.
    func fail(_ count: Int) { failures = count }

    /// Returns the token that is accepted.
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
    /// Creates a token that an issuer refreshes once a gate is open.
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

    /// Waits until `count` calls wait for a refresh.
    func waitForWaiters(_ count: Int) async {
        await waitUntil { waiterCount >= count }
    }
}
