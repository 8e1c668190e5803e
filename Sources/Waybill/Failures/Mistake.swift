/// A mistake in a declaration: the clause, what it was given, what is wrong with that, and the way out.
public struct Mistake: Sendable, Hashable, CustomStringConvertible {
    /// The clause as it is written in a declaration: `Header`, `GET`, `Query`.
    public let clause: String

    /// What the clause was given.
    public let value: String

    /// What is wrong with it, and what to do instead.
    public let reason: String

    /// Creates a mistake.
    public init(clause: String, value: String, reason: String) {
        self.clause = clause
        self.value = value
        self.reason = reason
    }

    /// Clause, value and reason in one line.
    public var description: String { value.isEmpty ? "\(clause): \(reason)" : "\(clause)(\(value)): \(reason)" }
}
