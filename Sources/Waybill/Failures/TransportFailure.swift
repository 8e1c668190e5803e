/// A request to which no usable response came.
public struct TransportFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the transport says.
    public let error: TransportError

    /// Creates a failure.
    public init(call: FailedCall, error: TransportError) {
        self.call = call
        self.error = error
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String { "\(call) got no response: \(call.redacted("\(error)"))\n\(call.detail)" }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call, "error": error.redacted(by: call.secrets)], displayStyle: .struct)
    }
}
