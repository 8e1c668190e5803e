/// A request that could not be built from its declaration.
///
/// Nothing was sent.
public struct RequestFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
    /// The call.
    public internal(set) var call: FailedCall

    /// What is wrong with the declaration, clause by clause.
    public let mistakes: [Mistake]

    /// Creates a failure.
    public init(call: FailedCall, mistakes: [Mistake]) {
        self.call = call
        self.mistakes = mistakes
    }

    /// What was asked, what came, and where it went wrong; secrets redacted.
    public var description: String {
        (["\(call) could not be built; nothing was sent"] + mistakes.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call, "mistakes": mistakes], displayStyle: .struct)
    }
}
