import Waybill

/// Calls of a description that cannot be planned with their example values, or samples that cannot be read.
public struct DescriptionError: Error, Sendable, CustomStringConvertible {
    /// The error of each call, with the clauses that are wrong.
    public let errors: [APIError]

    /// The problem of each ``SampleBodies`` document that is not JSON.
    public let sampleProblems: [String]

    package init(errors: [APIError], sampleProblems: [String] = []) {
        self.errors = errors
        self.sampleProblems = sampleProblems
    }

    /// The errors, one a line.
    public var description: String {
        guard sampleProblems.isEmpty else { return sampleProblems.joined(separator: "\n") }
        let calls = errors.count == 1 ? "1 call" : "\(errors.count) calls"
        return "\(calls) of the description cannot be planned:\n" + errors.map { "- \($0)" }.joined(separator: "\n")
    }
}
