extension APIError {
    /// A batch of which some items failed; the others did not.
    public struct ItemsFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
        /// One item that failed.
        public struct Item: Error, Sendable {
            /// The item's place in the batch, from 0.
            public let index: Int

            /// The typed problem that the server gave for the item; see ``WriteResult/ItemProblem``.
            public let problem: any Sendable

            /// Creates an item.
            public init(index: Int, problem: any Sendable) {
                self.index = index
                self.problem = problem
            }

            /// Returns the typed problem, if it has that type.
            public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? { problem as? Value }
        }

        /// The call.
        public internal(set) var call: FailedCall

        /// The status of the response as a whole.
        public let status: HTTPResponse.Status

        /// The items that failed, in order.
        public let items: [Item]

        /// The number of items in the response.
        public let count: Int

        /// Creates a failure.
        public init(call: FailedCall, status: HTTPResponse.Status, items: [Item], count: Int) {
            self.call = call
            self.status = status
            self.items = items
            self.count = count
        }

        /// The request, the response and the place of the error; secrets redacted.
        public var description: String {
            let lines = ["\(call) failed for \(items.count) of \(count) items", call.detail]
            return (lines + texts.map { "  \($0)" }).joined(separator: "\n")
        }

        /// The parts of the failure, secrets redacted.
        public var customMirror: Mirror {
            Mirror(
                self,
                children: ["call": call, "status": status, "items": texts, "count": count],
                displayStyle: .struct
            )
        }

        private var texts: [String] {
            items.map { "[\($0.index)]: " + call.redacted(ProblemText.text(of: $0.problem)) }
        }
    }
}
