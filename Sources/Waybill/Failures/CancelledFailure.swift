/// A call whose task was cancelled.
///
/// Whether the server acted on it is not known.
public struct CancelledFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// Whether it waited for the server then, or sent something; not so where it waited on this side, for a
    /// credential perhaps, or for another server.
    var awaitedServer = false

    /// Creates a failure.
    public init(call: FailedCall) { self.call = call }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String { "\(call) was cancelled\n\(call.detail)" }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call], displayStyle: .struct)
    }
}
