import WaybillJSON

extension Scope {
    /// An error in a declaration: the clause, its argument, the reason and how to fix it.
    public struct DeclarationError: Sendable, Hashable, CustomStringConvertible {
        /// The clause as written in a declaration, such as `Header`, `GET` or `Query`.
        public let clause: String

        /// The argument of the clause, without secrets.
        public let value: String

        /// The reason and how to fix it.
        public let reason: String

        /// Creates a declaration error.
        ///
        /// - Parameters:
        ///   - clause: the clause as written in a declaration.
        ///   - value: the argument of the clause, without secrets.
        ///   - reason: the reason and how to fix it.
        public init(clause: String, value: String, reason: String) {
            self.clause = clause
            self.value = value
            self.reason = reason
        }

        /// The clause, the argument and the reason on one line.
        public var description: String { value.isEmpty ? "\(clause): \(reason)" : "\(clause)(\(value)): \(reason)" }
    }
}

extension [Scope.DeclarationError] {
    /// Appends an error.
    ///
    /// - Parameters:
    ///   - clause: the clause as written in a declaration.
    ///   - value: the argument of the clause, without secrets.
    ///   - reason: the reason and how to fix it.
    package mutating func reject(_ clause: String, _ value: String = "", because reason: String) {
        append(Scope.DeclarationError(clause: clause, value: value, reason: reason))
    }
}

/// The source location of a clause, which distinguishes it from otherwise identical clauses.
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

    /// A placeholder for clauses that need no site.
    package static let none = DeclarationSite(file: "", line: 0, column: 0)
}

/// A namespace for formatting an encoding error as a declaration error's reason.
enum EncodingReason {
    static func text(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        let path = CodingPathText.text(of: context.codingPath)
        return path.isEmpty || context.debugDescription.hasPrefix(path)
            ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
