/// A call whose task was cancelled.
///
/// Whether the server acted on it is not known.
public struct CancelledFailure: Sendable, CustomStringConvertible, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// Creates a failure.
    public init(call: FailedCall) { self.call = call }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String { "\(call) was cancelled\n\(call.detail)" }
}
