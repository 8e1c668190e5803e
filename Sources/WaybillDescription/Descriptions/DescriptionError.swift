import Waybill

/// Calls of a description that cannot be planned with their example values.
public struct DescriptionError: Error, Sendable, CustomStringConvertible {
    /// The error of each call, with the clauses that are wrong.
    public let errors: [APIError]

    /// The errors, one a line.
    public var description: String {
        let calls = errors.count == 1 ? "1 call" : "\(errors.count) calls"
        return "\(calls) of the description cannot be planned:\n" + errors.map { "- \($0)" }.joined(separator: "\n")
    }
}
