extension APIError {
    /// A request that could not be built from its declaration.
    ///
    /// Nothing was sent.
    public struct RequestFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// The call.
        public internal(set) var call: FailedCall

        /// The declaration errors, clause by clause.
        public let declarationErrors: [DeclarationError]

        /// Creates a failure.
        public init(call: FailedCall, declarationErrors: [DeclarationError]) {
            self.call = call
            self.declarationErrors = declarationErrors
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String {
            (["\(call) could not be built; nothing was sent"] + declarationErrors.map { "  \($0)" }).joined(
                separator: "\n"
            )
        }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(self, children: ["call": call, "declarationErrors": declarationErrors], displayStyle: .struct)
        }
    }
}
