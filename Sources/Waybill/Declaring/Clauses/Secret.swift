import WaybillJSON

/// The names of header fields, query items and body members whose values are redacted in errors, events and logs, or
/// the path of such a value in the request body.
///
/// ```swift
/// Secret("X-Session", "signature", "iban")
/// Secret(body: "params", 2)                    // {"method":"login","params":["shop","ann",‹redacted›]}
/// ```
///
/// Name comparison ignores case, `_` and `-`. `Authorization`, `Cookie`, `Set-Cookie`,
/// `Proxy-Authorization` and common names for passwords, tokens and keys are always secret.
public struct Secret: Scope.RepeatableClause {
    private let names: SecretNameSet
    private let bodyPaths: [[EnvelopeKey]]

    /// Declares names as secret.
    ///
    /// - Parameter names: the names.
    public init(_ names: String...) {
        self.names = SecretNameSet(names)
        bodyPaths = []
    }

    /// Declares one value in the JSON body of a request as secret.
    ///
    /// Only that value is redacted, including its members and elements; response members with the same name are not. If
    /// the server repeats a value of at least 4 characters, the copy is redacted too. In a body that is not JSON or has
    /// no value at the path, nothing is redacted.
    ///
    /// The following are declaration errors, and nothing is sent: an index into something other than an array, a key
    /// into something other than an object, and a form with an item named like the first key.
    ///
    /// - Parameters:
    ///   - step: the outermost key or index, as spelled in the JSON.
    ///   - steps: the keys and indices below it. Indices start at 0; a negative one counts from the end.
    public init(body step: EnvelopeKey, _ steps: EnvelopeKey...) {
        bodyPaths = [[step] + steps]
        var names = SecretNameSet()
        names.insert(bodyPath: ([step] + steps).map(SecretNameSet.BodyStep.init))
        self.names = names
    }

    /// Declares the names and the path.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        scope.declare(SecretNames(names: names, bodyPaths: bodyPaths))
    }
}

/// The setting that collects the names and paths declared with ``Secret``.
package struct SecretNames: Setting {
    package static let clauseName = "Secret"

    package private(set) var names: SecretNameSet

    /// The paths in the request body, the most recently declared first.
    package private(set) var bodyPaths: [[EnvelopeKey]]

    package static var accumulates: Bool { true }

    package func merged(over outer: SecretNames) -> SecretNames {
        var all = self
        all.names.formUnion(outer.names)
        all.bodyPaths += outer.bodyPaths.filter { !bodyPaths.contains($0) }
        return all
    }

    package var summary: String {
        (names.names + bodyPaths.map { "\($0.pathDescription) of the body" }).joined(separator: ", ")
    }
}

extension SecretNameSet.BodyStep {
    fileprivate init(_ step: EnvelopeKey) {
        switch step {
        case .key(let key): self = .key(key)
        case .index(let index): self = .index(index)
        }
    }
}
