/// A step between a call and the transport, with access to the internal state of requests and responses.
package protocol CallStep: Sendable {
    /// A closure that runs the inner steps and the transport.
    typealias Next = @Sendable (CallRequest) async throws(APIError) -> CallResponse

    /// Handles a request, calling `next` any number of times with the same request or different ones.
    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse
}

/// A position of steps in a call, named for their role.
///
/// The cases are ordered from the outermost position to the innermost.
package enum StepPosition: Int, Sendable, Comparable {
    /// Around the whole call.
    case call
    /// In place of a transfer: steps can respond from storage.
    case stored
    /// Around a transfer that several calls can share.
    case shared
    /// Around all attempts, for steps that repeat them.
    case attempts
    /// Before each attempt, which holds no resources yet.
    case readiness
    /// Around each attempt, for a step that reads its body.
    case body
    /// Around the requests that make up an attempt.
    case exchange
    /// Around each request of an attempt, before its admission.
    case request
    /// While a request waits for admission.
    case queue
    /// At the admission of a request, for steps that can reject it.
    case admission
    /// The position of the step that adds a credential, and renews it if rejected.
    case credential
    /// Around the redirects of a request: steps at inner positions handle each message of the chain.
    case redirects
    /// Around each message, for steps that set header fields.
    case message
    /// Around each message, for steps that encode and decode content.
    case content
    /// Around each message, for steps that sign it.
    case signature
    /// Around the transfer of each message.
    case transfer

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The steps of a call, outermost first.
package struct CallSteps: Sendable {
    private var steps: [(position: StepPosition, step: any CallStep)] = []

    package init() {}

    /// Adds a step, if it is not nil, inside existing steps at the same position.
    package mutating func add(_ step: (any CallStep)?, at position: StepPosition) {
        guard let step else { return }
        var index = steps.count
        while index > 0, steps[index - 1].position > position { index -= 1 }
        steps.insert((position, step), at: index)
    }

    /// Removes the innermost step if its position is inside the given one.
    mutating func removeLast(inside position: StepPosition) -> (any CallStep)? {
        guard let last = steps.last, last.position > position else { return nil }
        return steps.removeLast().step
    }

    /// Removes the innermost step.
    mutating func removeLast() -> (any CallStep)? { steps.popLast()?.step }
}
