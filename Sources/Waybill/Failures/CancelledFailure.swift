/// A call whose task was cancelled. Whether the server acted on it is not known.
public struct CancelledFailure: Sendable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// Creates a failure.
    public init(call: FailedCall) { self.call = call }

    var text: String { "\(call) was cancelled\n\(call.detail)" }
}
