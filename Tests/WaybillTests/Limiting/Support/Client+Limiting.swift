@testable import Waybill

extension Client {
    /// What the client's limits have.
    var limiter: Limiter { context.shared.state(for: "limits") { Limiter(context.time) } }

    /// A call to a path, as a task.
    func start(_ path: RequestPath, @ScopeBuilder _ clauses: () -> Scope = { Scope() }) -> Task<APIError?, Never> {
        let scope = clauses()
        return Task {
            await failure { () async throws(APIError) in try await get(path, as: Int.self) { scope } }
        }
    }

    /// Waits until so many calls wait for their turn.
    func waitForQueue(of count: Int) async {
        while limiter.waitingCount != count { await Task.yield() }
    }
}
