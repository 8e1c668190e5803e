import WaybillSystem

/// The secrets of a call, for redacting errors, events, commands and recordings.
///
/// They are collected only when needed, because most calls are never printed.
package struct CallSecrets: Sendable {
    /// The names whose values are secret.
    package let names: SecretNameSet

    /// Returns the values declared as secret.
    package let declared: @Sendable () -> [String]
    private let sent: CallRequest?

    /// Creates the secrets declared by a call.
    ///
    /// - Parameters:
    ///   - names: the names whose values are secret.
    ///   - declared: returns the values declared as secret.
    package init(names: SecretNameSet, declared: @escaping @Sendable () -> [String]) {
        self.init(names: names, declared: declared, sent: nil)
    }

    private init(names: SecretNameSet, declared: @escaping @Sendable () -> [String], sent: CallRequest?) {
        self.names = names
        self.declared = declared
        self.sent = sent
    }

    /// Returns the call's secrets combined with those of a sent request, including its credentials.
    package func adding(of request: CallRequest) -> CallSecrets {
        CallSecrets(names: request.secretNames, declared: declared, sent: request.withoutLargeBody)
    }

    /// Returns the combined secrets of two requests, for text about both.
    package func joined(with other: CallSecrets) -> CallSecrets {
        var names = names
        names.formUnion(other.names)
        return CallSecrets(names: names, declared: { values + other.values })
    }

    /// The values to redact wherever they occur.
    package var values: [String] { (sent.map { SentSecrets.values(of: $0) } ?? []) + declared() }

    /// The secret names, and the secret values in every encoding that text may contain.
    package var collected: SecretNameSet { names.hiding(values) }

    /// Returns text with the secret values redacted.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isExcerpt: whether `…` marks omitted text; if so, fragments of secret values next to it are redacted too.
    /// - Returns: the redacted text.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        collected.removed(from: text, isExcerpt: isExcerpt)
    }

    /// Returns the fields, marking those with a secret name or a secret value as sensitive.
    package func marking(_ fields: HTTPFields) -> HTTPFields {
        let secrets = collected
        return HTTPFields(
            fields.map { field in
                var field = field
                let isSecret = secrets.contains(field.name) || secrets.removed(from: field.value) != field.value
                field.isSensitive = field.isSensitive || isSecret
                return field
            }
        )
    }
}
