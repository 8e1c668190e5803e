/// A request to which no usable response came.
public struct TransportFailure: Sendable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What the transport says.
    public let error: TransportError

    /// Creates a failure.
    public init(call: FailedCall, error: TransportError) {
        self.call = call
        self.error = error
    }

    var text: String { "\(call) got no response: \(error)\n\(call.detail)" }
}
