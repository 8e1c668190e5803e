/// The secrets of a call, for the texts that are made of its messages.
///
/// Header fields and URLs refer to it, so that each of them can be printed by itself.
package protocol CallSecrets: AnyObject, Sendable {
    /// The names whose values are secret.
    var names: SecretNameSet { get }

    /// The values that are secret wherever they stand.
    ///
    /// Collected each time: only texts need them, and most calls are never printed.
    var values: [String] { get }

    /// Returns the secrets that a response to a request may repeat: these, and those that became known on its way.
    func sent(with request: HTTPRequest) -> any CallSecrets
}

extension CallSecrets {
    /// The names, and the values in the forms in which texts write them.
    package var hidden: SecretNameSet { names.hiding(values) }

    /// Returns a text without the secret values.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        Redaction.removing(hidden.longValues, from: text, isExcerpt: isExcerpt)
    }
}

/// The secrets of a call with names that became known while it was under way, such as those of a signature.
final class ExtendedSecrets: CallSecrets {
    let names: SecretNameSet
    private let base: (any CallSecrets)?

    init(_ names: SecretNameSet, base: (any CallSecrets)?) {
        self.names = names
        self.base = base
    }

    var values: [String] { base?.values ?? [] }

    func sent(with request: HTTPRequest) -> any CallSecrets {
        let secrets = base?.sent(with: request)
        return secrets.map { $0 === base ? self : $0 } ?? self
    }
}

extension HTTPRequest {
    /// The secrets that a response to this request may repeat; nil for a request that is no call's.
    package var sentSecrets: (any CallSecrets)? { secrets?.sent(with: self) }
}
