import CallSupport
import TestSupport
import Testing
@testable import WaybillLimits

@testable import Waybill

extension Client {
    /// The client's limiter.
    var limiter: Limiter { context.storage.state(for: "limits") { Limiter(context.time) } }

    /// Starts a call to a path, and returns its task.
    func start(_ path: Route.Path, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Task<APIError?, Never> {
        let scope = clauses()
        return Task {
            await failure { try await get(path, as: Int.self) { scope } }
        }
    }

    /// Waits until `count` calls wait for a permit, and records an issue if they do not.
    func waitForQueue(of count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await waitUntil({ limiter.waitingCount == count }, sourceLocation: sourceLocation)
    }
}
