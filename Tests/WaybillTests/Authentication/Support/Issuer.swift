import Foundation
import Testing
import Waybill
import WaybillTesting

/// A server that accepts one token at a time, together with what issues them: `t1`, `t2` and so on.
actor Issuer {
    private(set) var accepted = 1
    private(set) var occasions: [RefreshingToken.Occasion] = []
    private var failures = 0

    var refreshCount: Int { occasions.count }

    /// Answers a request.
    func answer(_ request: ReceivedRequest) -> Answer {
        guard request.headerFields[.authorization] == "Bearer t\(accepted)" else {
            return .json(#"{"error":"expired"}"#, status: 401).header("WWW-Authenticate", #"Bearer realm="shop""#)
        }
        return .json("\(accepted)")
    }

    /// Accepts the token that comes next, which nobody has yet.
    func expire() { accepted += 1 }

    /// Fails so many refreshes.
    func fail(_ count: Int) { failures = count }

    /// Gives the token that is accepted.
    func token(for occasion: RefreshingToken.Occasion) throws -> RefreshingToken.AccessToken {
        occasions.append(occasion)
        if failures > 0 {
            failures -= 1
            throw SignedOut()
        }
        return .init("t\(accepted)")
    }

    struct SignedOut: Error, Equatable {}
}

extension RefreshingToken {
    /// A token that an issuer refreshes, when a gate is open.
    convenience init(
        _ token: String?,
        of issuer: Issuer,
        gate: Gate? = nil,
        waitsForChallenge: Bool = false
    ) {
        self.init(token.map { .init($0) }, waitsForChallenge: waitsForChallenge) { occasion in
            await gate?.waitUntilOpen()
            return try await issuer.token(for: occasion)
        }
    }

    /// Waits until so many calls wait for a refresh.
    func waitForWaiters(_ count: Int) async {
        await waitUntil { waiterCount >= count }
    }
}
