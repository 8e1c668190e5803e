/// The received requests, in their order.
struct RequestLog: Sendable {
    private struct State: Sendable {
        var requests: [ReceivedRequest] = []
        var count = 0
    }

    private let state = Monitor(State())
    private let keepsRequests: Bool

    init(keepsRequests: Bool = true) { self.keepsRequests = keepsRequests }

    var requests: [ReceivedRequest] { state.current.requests }

    var count: Int { state.current.count }

    func record(_ request: ReceivedRequest) {
        state.update { state in
            if keepsRequests { state.requests.append(request) }
            state.count += 1
        }
    }

    /// Waits until `count` requests came; returns early if the task is cancelled.
    func wait(count: Int) async -> [ReceivedRequest] {
        await state.wait { $0.count >= count }
        return requests
    }
}
