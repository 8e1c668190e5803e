import Waybill
import WaybillSystem

/// A step that waits for a network connection before sending a request, and before repeating one that failed without a
/// connection.
///
/// It runs inside `RetryStep`, so waiting does not count as an attempt, but outside the steps that hold a permit.
struct ConnectivityStep: CallStep {
    private let monitor: NetworkMonitor
    private let limit: Duration
    /// The call's total waiting time so far.
    private let waited: Locked<Duration>

    /// Creates the step for a call; nil if the call does not wait.
    init?(_ clause: WaitsForConnectivity, of call: Call) {
        guard let limit = clause.maximumWait, let monitor = clause.monitor,
            HTTPRequest.Origin(call.plan.url)?.isLoopback == false
        else { return nil }
        self.monitor = monitor
        self.limit = limit
        // Set here: a default value would be allocated even for calls without the clause.
        waited = Locked(.zero)
    }

    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        var failure: APIError?
        while true {
            if !monitor.isConnected { try await wait(of: call, after: failure) }
            do throws(APIError) {
                var response = try await next(request)
                // A truncated body is a network failure, too.
                try await call.readBody(of: &response)
                return response
            } catch {
                guard mayRepeat(request, after: error, of: call) else { throw error }
                failure = error
            }
        }
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func mayRepeat(_ request: CallRequest, after error: APIError, of call: Call) -> Bool {
        guard !monitor.isConnected, RetryEligibility.mayHelp(error) else { return false }
        if call.context.isContinuable { return true }
        let hasLeftOrigin = if case .transport(let failure) = error { failure.hasLeftOrigin } else { false }
        let rejection = RetryEligibility.rejection(
            of: request,
            after: error,
            methods: call.settings[Retry.self]?.rules?.methods ?? Retry.idempotentMethods,
            key: call.settings[IdempotencyKey.self]?.name,
            hasLeftOrigin: hasLeftOrigin
        )
        return rejection == nil
    }

    /// Waits for a network connection.
    ///
    /// - Throws: if the limit is exceeded, the preceding failure, or `APIError.transport` if no request has been
    ///   sent yet; `APIError.cancelled` if the task is cancelled.
    @inline(never)  // keeps frames small: see Architecture.md
    private func wait(of call: Call, after failure: APIError?) async throws(APIError) {
        let rest = limit - waited.withLock { $0 }
        let time = call.context.time
        let start = time.now
        if rest > .zero {
            call.report(.disconnected)
            let monitor = monitor
            let waiting = Task { await monitor.waitUntilConnected() }
            let number = call.context.deadlines.add(at: start + rest) { waiting.cancel() }
            let isConnected = await withTaskCancellationHandler {
                await waiting.value
            } onCancel: {
                waiting.cancel()
            }
            _ = call.context.deadlines.remove(number)
            guard !Task.isCancelled else { throw call.failure(CancellationError()) }
            let duration = time.now - start
            waited.withLock { $0 += duration }
            if isConnected {
                call.report(.connected(after: duration))
                return
            }
        }
        let reason = "none appeared within \(limit.shown); to wait longer, increase WaitsForConnectivity(maximumWait:)"
        throw failure ?? call.transportFailure(TransportError(.notConnected, reason, phase: .queued))
    }
}

extension WaitsForConnectivity: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        steps.add(ConnectivityStep(self, of: call), at: .readiness)
    }
}
