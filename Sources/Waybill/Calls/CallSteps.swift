/// A step between a call and the transport, with access to the internal state of the request and the response.
package protocol CallStep: Sendable {
    /// A function that runs the inner steps and the transport.
    typealias Next = @Sendable (CallRequest) async throws(APIError) -> CallResponse

    /// Handles a request, calling `next` any number of times with the same request or different ones.
    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse
}

/// A position in a call, named after the role of the steps there.
///
/// The cases are in the order of a call.
package enum StepPosition: Int, Sendable, Comparable {
    /// Around the whole call.
    case call
    /// Instead of a transfer: a step may respond without one.
    case stored
    /// Around the transfer that several calls may share.
    case shared
    /// Around all attempts, which a step here repeats.
    case attempts
    /// Before an attempt, while it holds nothing.
    case readiness
    /// Around the body of each attempt, which a step here reads.
    case body
    /// Around the requests that make up one attempt.
    case exchange
    /// Around each request of an attempt, before it is admitted.
    case request
    /// The wait of a request until it is admitted.
    case queue
    /// The admission of a request, which a step here may reject.
    case admission
    /// The addition of a credential, and the renewal of a rejected one.
    case credential
    /// Around each message of a chain of redirects: the positions below this one see every message.
    case redirects
    /// Around each message, where it gets its header fields.
    case message
    /// Around each message, where its content is coded.
    case content
    /// Around each message, where it is signed.
    case signature
    /// Around the transfer of each message.
    case transfer

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The steps of a call, outermost first.
package struct CallSteps: Sendable {
    private var steps: [(position: StepPosition, step: any CallStep)] = []

    package init() {}

    /// Adds a step, if there is one, inside those at the same position.
    package mutating func add(_ step: (any CallStep)?, at position: StepPosition) {
        guard let step else { return }
        var index = steps.count
        while index > 0, steps[index - 1].position > position { index -= 1 }
        steps.insert((position, step), at: index)
    }

    /// Removes the innermost step if its position is inside another one.
    mutating func removeLast(inside position: StepPosition) -> (any CallStep)? {
        guard let last = steps.last, last.position > position else { return nil }
        return steps.removeLast().step
    }

    /// Removes the innermost step.
    mutating func removeLast() -> (any CallStep)? { steps.popLast()?.step }
}
