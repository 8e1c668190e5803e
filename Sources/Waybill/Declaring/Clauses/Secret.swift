/// Names whose values are redacted in every text: header fields, query items and keys of bodies.
///
/// ```swift
/// Secret("X-Session", "signature", "iban")
/// ```
///
/// Names are compared without regard to case. `Authorization`, `Cookie`, `Set-Cookie`, `Proxy-Authorization` and the
/// usual names of passwords, tokens and keys are secret anyway.
public struct Secret: RepeatableClause {
    private let names: Set<String>

    /// These names.
    public init(_ names: String...) { self.names = Set(names.map { $0.lowercased() }) }

    /// Declares the names.
    public func declare(in scope: inout Scope) { scope.declare(SecretNames(names: names)) }
}

/// The names whose values are redacted, in lower case.
package struct SecretNames: Setting {
    package let names: Set<String>

    package static var accumulates: Bool { true }

    package func merged(over farther: SecretNames) -> SecretNames {
        SecretNames(names: names.union(farther.names))
    }

    package var summary: String { names.sorted().joined(separator: ", ") }

    /// What is secret without being declared so.
    package static let usual = SecretNames(names: UsualSecrets.names)
}
