import WaybillJSON

/// An error in a declaration: the clause, its argument, the reason, and the way out.
public struct DeclarationError: Sendable, Hashable, CustomStringConvertible {
    /// The clause as it is written in a declaration: `Header`, `GET`, `Query`.
    public let clause: String

    /// The argument of the clause.
    public let value: String

    /// The reason, and the way out.
    public let reason: String

    /// Creates a declaration error.
    ///
    /// - Parameters:
    ///   - clause: the clause as it is written in a declaration.
    ///   - value: the argument of the clause, without secrets.
    ///   - reason: the reason, and the way out.
    public init(clause: String, value: String, reason: String) {
        self.clause = clause
        self.value = value
        self.reason = reason
    }

    /// Clause, value and reason in one line.
    public var description: String { value.isEmpty ? "\(clause): \(reason)" : "\(clause)(\(value)): \(reason)" }
}

extension [DeclarationError] {
    /// Adds the error of a clause.
    ///
    /// - Parameters:
    ///   - clause: the clause as it is written in a declaration.
    ///   - value: the argument of the clause, without secrets.
    ///   - reason: the reason, and the way out.
    mutating func reject(_ clause: String, _ value: String = "", because reason: String) {
        append(DeclarationError(clause: clause, value: value, reason: reason))
    }
}

/// The place in the sources where a clause is declared, which tells it from others that say the same.
package struct DeclarationSite: Sendable, Hashable {
    private let file: String
    private let line: Int
    private let column: Int

    /// Creates a site from `#fileID`, `#line` and `#column`.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The site of a clause that needs none.
    package static let none = DeclarationSite(file: "", line: 0, column: 0)
}

/// The text of an encoder's error, for a declaration error.
enum EncodingReason {
    static func text(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        let path = CodingPathText.text(of: context.codingPath)
        return path.isEmpty || context.debugDescription.hasPrefix(path)
            ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
