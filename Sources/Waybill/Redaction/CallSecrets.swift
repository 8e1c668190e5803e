/// The secrets of a call, for the texts that are made of its messages.
package protocol CallSecrets: TextRedaction {
    /// The names whose values are secret.
    var names: SecretNameSet { get }

    /// Returns the secrets that a response to a request may repeat: these, and those that became known on its way.
    func sent(with request: CallRequest) -> any CallSecrets
}

extension CallSecrets {
    /// The names, and the values in the forms in which texts write them.
    package var hidden: SecretNameSet { names.hiding(values) }
}

/// The secrets of a call with names that became known while it was under way, such as those of a signature.
final class ExtendedSecrets: CallSecrets {
    let names: SecretNameSet
    private let base: any CallSecrets

    init(_ names: SecretNameSet, base: any CallSecrets) {
        self.names = names
        self.base = base
    }

    var values: [String] { base.values }

    func sent(with request: CallRequest) -> any CallSecrets {
        let secrets = base.sent(with: request)
        return secrets === base ? self : secrets
    }
}
