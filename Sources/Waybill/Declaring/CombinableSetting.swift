/// A setting whose clauses in one scope can be written as a single clause.
package protocol CombinableSetting: Setting {
    /// Returns advice on combining this clause with an earlier one, phrased to follow the error.
    ///
    /// - Parameter earlier: the clause declared earlier in the same scope.
    /// - Returns: the advice; nil if the clauses conflict and one must be removed.
    func adviceToCombine(with earlier: Self) -> String?
}

extension CombinableSetting {
    /// Returns advice on combining this clause with an earlier one; nil if that has another type.
    func adviceToCombine(withAny earlier: any Setting) -> String? {
        (earlier as? Self).flatMap { adviceToCombine(with: $0) }
    }
}

/// Advice for a scope that declares a coder or its strategies twice.
enum CodingAdvice {
    /// Returns the advice.
    ///
    /// - Parameters:
    ///   - clause: the name of the clause.
    ///   - earlier: the labels of the first clause's strategies; nil if it has a coder instead.
    ///   - later: the labels of the second clause's strategies; nil if it has a coder instead.
    ///   - coder: the word for the coder in the advice.
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
