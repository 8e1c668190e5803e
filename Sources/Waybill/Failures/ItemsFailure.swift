import WaybillSystem

extension APIError {
    /// A batch of which some items failed; the others did not.
    public struct ItemsFailure: CallFailure {
        /// One item that failed.
        public struct Item: Error, Sendable {
            /// The item's place in the batch, from 0.
            public let index: Int

            /// The typed problem that the server gave for the item; see ``WriteResult/ItemProblem``.
            public let problem: any Sendable

            /// Creates an item, for tests of what handles it.
            public init(index: Int, problem: any Sendable) {
                self.index = index
                self.problem = problem
            }

            /// Returns the typed problem, if it has that type.
            public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? { problem as? Value }
        }

        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The status of the response as a whole.
        public let status: HTTPResponse.Status

        /// The items that failed, in order.
        public let items: [Item]

        /// The number of items in the response.
        public let count: Int

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall, status: HTTPResponse.Status, items: [Item], count: Int) {
            self.call = call
            self.status = status
            self.items = items
            self.count = count
        }

        var apiError: APIError { .items(self) }
        var outcome: String { "failed for \(items.count) of \(count) items" }
        var details: [String] {
            items.map { item in
                "[\(item.index)]: "
                    + (ProblemText.isEmpty(item.problem)
                        ? "an empty \(type(of: item.problem))" : call.redacted(ProblemText.text(of: item.problem)))
            }
        }
        var properties: [Mirror.Child] { [("status", status), ("items", details), ("count", count)] }
        var brief: String { "failed items" }
        var sentence: ErrorSentence { .failedItems }
        var ownSentence: String? { items.count == 1 ? items.first?.ownSentence : nil }
    }
}

extension APIError.ItemsFailure.Item: LocalizedError {
    /// The problem's own sentence if it is a `LocalizedError`, or else one for any item.
    public var errorDescription: String? { ownSentence ?? ErrorSentence.failedItem.text }

    fileprivate var ownSentence: String? { ProblemText.sentence(of: problem) }
}

/// The texts of typed problems.
package enum ProblemText {
    /// Returns a problem as errors print it: several in an array one after the other, each with its own description.
    ///
    /// An array itself prints the debug descriptions of its elements, module names included.
    package static func text(of problem: Any) -> String {
        if let problems = problem as? [Any] { return problems.map { text(of: $0) }.joined(separator: "; ") }
        return "\(problem)"
    }

    /// Whether a problem prints as nothing: all of its members may be optional, and the body an empty object.
    static func isEmpty(_ problem: Any) -> Bool { text(of: problem).allSatisfy { $0.isWhitespace || $0 == ";" } }

    /// Returns the problem's sentence for a person; nil if it is no `LocalizedError`, or has none.
    static func sentence(of problem: Any) -> String? {
        if let problems = problem as? [Any] {
            let sentences = problems.compactMap { sentence(of: $0) }
            return sentences.isEmpty ? nil : sentences.joined(separator: " ")
        }
        guard let text = (problem as? any LocalizedError)?.errorDescription, !text.isEmpty else { return nil }
        return text
    }
}
