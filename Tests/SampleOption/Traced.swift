import Waybill

/// An option outside all products, at a position that no product uses.
///
/// It demonstrates that adding an option requires no changes to the core.
package struct Traced: CallOption {
    private let trace: @Sendable (HTTPRequest) -> Void

    package init(_ trace: @escaping @Sendable (HTTPRequest) -> Void) { self.trace = trace }

    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package var summary: String { "" }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        steps.add(TraceStep(trace: trace), at: .transfer)
    }
}

/// A step that reports each message when it is sent.
private struct TraceStep: CallStep {
    let trace: @Sendable (HTTPRequest) -> Void

    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        trace(request.message)
        return try await next(request)
    }
}
