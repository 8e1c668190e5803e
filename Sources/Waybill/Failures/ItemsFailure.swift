import WaybillSystem

extension APIError {
    /// A failure of some items in a batch.
    ///
    /// The other items succeeded.
    public struct ItemsFailure: CallFailure {
        /// A failed item.
        public struct Item: Error, Sendable {
            /// The item's zero-based index in the batch.
            public let index: Int

            /// The typed problem that the server reported for the item; see ``WriteResult/ItemProblem``.
            public let problem: any Sendable

            /// Creates an item for tests of error handling.
            ///
            /// - Parameters:
            ///   - index: the item's zero-based index in the batch.
            ///   - problem: the typed problem.
            public init(index: Int, problem: any Sendable) {
                self.index = index
                self.problem = problem
            }

            /// Returns the typed problem.
            ///
            /// - Parameter type: the type of the problem.
            /// - Returns: the problem; nil if it has a different type.
            public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? { problem as? Value }
        }

        /// The call that failed.
        public package(set) var call: FailedCall

        /// The status of the whole response.
        public let status: HTTPResponse.Status

        /// The failed items, in order.
        public let items: [Item]

        /// The number of items in the response.
        public let count: Int

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - status: the status of the whole response.
        ///   - items: the failed items, in order.
        ///   - count: the number of items in the response.
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
    /// The problem's description if it is a `LocalizedError`; otherwise, a generic sentence.
    public var errorDescription: String? { ownSentence ?? ErrorSentence.failedItem.text }

    fileprivate var ownSentence: String? { ProblemText.sentence(of: problem) }
}

/// The formatting of typed problems as text.
package enum ProblemText {
    /// Returns a problem's text for errors.
    ///
    /// Array elements are formatted individually and separated by semicolons. The array's description would contain
    /// their debug descriptions, including module names.
    package static func text(of problem: Any) -> String {
        if let problems = problem as? [Any] { return problems.map { text(of: $0) }.joined(separator: "; ") }
        return "\(problem)"
    }

    /// Whether a problem's text is empty, as for an empty object decoded as a type with only optional members.
    static func isEmpty(_ problem: Any) -> Bool { text(of: problem).allSatisfy { $0.isWhitespace || $0 == ";" } }

    /// Returns a problem's sentence for users; nil if it is not a `LocalizedError` or has no description.
    static func sentence(of problem: Any) -> String? {
        if let problems = problem as? [Any] {
            let sentences = problems.compactMap { sentence(of: $0) }
            return sentences.isEmpty ? nil : sentences.joined(separator: " ")
        }
        guard let text = (problem as? any LocalizedError)?.errorDescription, !text.isEmpty else { return nil }
        return text
    }
}
