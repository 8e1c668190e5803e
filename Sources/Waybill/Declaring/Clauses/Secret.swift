/// The names of header fields, query items and body members whose values are redacted in errors, events and logs.
///
/// ```swift
/// Secret("X-Session", "signature", "iban")
/// ```
///
/// Names are compared without regard to case, `_` and `-`. `Authorization`, `Cookie`, `Set-Cookie`,
/// `Proxy-Authorization` and common names of passwords, tokens and keys are always secret.
public struct Secret: RepeatableClause {
    private let names: SecretNameSet

    /// Declares names as secret.
    ///
    /// - Parameter names: the names.
    public init(_ names: String...) { self.names = SecretNameSet(names) }

    /// Declares the names.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { scope.declare(SecretNames(names: names)) }
}

/// The setting that collects the names declared with ``Secret``.
package struct SecretNames: Setting {
    package static let clauseName = "Secret"

    package private(set) var names: SecretNameSet

    package static var accumulates: Bool { true }

    package func merged(over outer: SecretNames) -> SecretNames {
        var all = self
        all.names.formUnion(outer.names)
        return all
    }

    package var summary: String { names.names.joined(separator: ", ") }
}
