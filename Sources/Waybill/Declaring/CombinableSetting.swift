/// A setting whose clauses in one scope can be written as a single clause.
package protocol CombinableSetting: Setting {
    /// Returns the advice for two clauses that complement each other, in words that follow the error.
    ///
    /// - Parameter earlier: the clause that the same scope declares before this one.
    /// - Returns: the advice; nil if the two contradict each other, so that one of them has to go.
    func adviceToCombine(with earlier: Self) -> String?
}

extension CombinableSetting {
    /// Returns the advice for an earlier clause of the same type; nil for one of another type.
    func adviceToCombine(withAny earlier: any Setting) -> String? {
        (earlier as? Self).flatMap { adviceToCombine(with: $0) }
    }
}

/// The advice for clauses with strategies for a coder, which a scope declares twice.
enum CodingAdvice {
    /// Returns the advice.
    ///
    /// - Parameters:
    ///   - clause: the name of the clause.
    ///   - earlier: the labels of the strategies of the first clause; nil if it gives a coder.
    ///   - later: those of the second one.
    ///   - coder: the word for a coder of the clause.
    ///   - takesStrategies: whether the given coder has strategies that it can be given before.
    /// - Returns: the advice; nil if one of the clauses has to go.
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
