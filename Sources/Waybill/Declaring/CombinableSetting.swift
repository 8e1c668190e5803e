/// A setting that can suggest how to combine two of its clauses in the same scope.
package protocol CombinableSetting: Setting {
    /// Returns advice on combining this clause with an earlier one, phrased as a continuation of the error text.
    ///
    /// - Parameter earlier: the clause declared earlier in the same scope.
    /// - Returns: the advice; nil if the clauses conflict and one must be removed.
    func adviceToCombine(with earlier: Self) -> String?
}

extension CombinableSetting {
    /// Returns advice on combining this clause with an earlier one; nil if they have different types or cannot be
    /// combined.
    func adviceToCombine(withAny earlier: any Setting) -> String? {
        (earlier as? Self).flatMap { adviceToCombine(with: $0) }
    }
}

/// A namespace for advice on scopes that declare a coder or its strategies twice.
enum CodingAdvice {
    /// Returns advice on combining two clauses that configure the same coder.
    ///
    /// - Parameters:
    ///   - clause: the name of the clause.
    ///   - earlier: the labels of the earlier clause's strategies; nil if it declares a coder instead.
    ///   - later: the labels of the later clause's strategies; nil if it declares a coder instead.
    ///   - coder: the word to use for the coder, such as `encoder`.
    ///   - takesStrategies: whether the strategies can be set on the coder itself.
    /// - Returns: the advice; nil if one of the clauses must be removed.
    static func text(
        _ clause: String,
        _ earlier: [String]?,
        _ later: [String]?,
        coder: String,
        takesStrategies: Bool
    ) -> String? {
        switch (earlier, later) {
        case (let earlier?, let later?):
            let labels = earlier + later.filter { !earlier.contains($0) }
            guard labels.count > earlier.count, labels.count > later.count else { return nil }
            return "write both in one: \(clause)(\(labels.map { "\($0): …" }.joined(separator: ", ")))"
        case (let labels?, nil), (nil, let labels?):
            guard takesStrategies, !labels.isEmpty else { return nil }
            return "keep \(clause)(with:), and give its \(coder) the \(labels.joined(separator: " and "))"
        case (nil, nil): return nil
        }
    }
}
