import Testing

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

    /// Waits until so many calls wait for their turn; gives up when that does not come.
    func waitForQueue(of count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await waitUntil({ limiter.waitingCount == count }, sourceLocation: sourceLocation)
    }
}
