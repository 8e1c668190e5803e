import WaybillSystem

/// The texts of typed problems.
package enum ProblemText {
    /// Returns a problem as errors print it: several in an array one after the other, each with its own description.
    ///
    /// An array itself prints the debug descriptions of its elements, module names included.
    package static func text(of problem: Any) -> String {
        if let problems = problem as? [Any] { return problems.map { text(of: $0) }.joined(separator: "; ") }
        return "\(problem)"
    }

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
