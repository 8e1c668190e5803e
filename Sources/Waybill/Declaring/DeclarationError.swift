/// An error in a declaration: the clause, its argument, the reason, and the way out.
public struct DeclarationError: Sendable, Hashable, CustomStringConvertible {
    /// The clause as it is written in a declaration: `Header`, `GET`, `Query`.
    public let clause: String

    /// The argument of the clause.
    public let value: String

    /// The reason, and the way out.
    public let reason: String

    /// Creates a declaration error.
    public init(clause: String, value: String, reason: String) {
        self.clause = clause
        self.value = value
        self.reason = reason
    }

    /// Clause, value and reason in one line.
    public var description: String { value.isEmpty ? "\(clause): \(reason)" : "\(clause)(\(value)): \(reason)" }
}
