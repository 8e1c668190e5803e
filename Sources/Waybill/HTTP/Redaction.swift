import Foundation

/// Leaves secrets out of texts.
package enum Redaction {
    /// What stands for a secret.
    package static let mark = "‹redacted›"

    /// A URL's text without the values of secret query items, without secrets in its path, and without a user and
    /// password.
    package static func url(_ url: URL, secretNames: SecretNameSet) -> String {
        self.url(text: url.absoluteString, secretNames: secretNames)
    }

    /// The same for what may be no URL at all: something that a server wrote in the place of one.
    package static func url(text: String, secretNames: SecretNameSet) -> String {
        var text = text
        if let start = text.range(of: "//")?.upperBound {
            let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@") { text.replaceSubrange(start..<at, with: mark) }
        }
        if !secretNames.pathValues.isEmpty { text = withoutSecretsInPath(text, secretNames.pathValues) }
        guard let query = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
        let items = text[text.index(after: query)...].split(separator: "&", omittingEmptySubsequences: false)
        return text[...query] + items.map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
    }

    private static func withoutSecretsInPath(_ text: String, _ values: Set<String>) -> String {
        let authority = text.range(of: "//")?.upperBound ?? text.startIndex
        let start = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let end = text[start...].firstIndex { "?#".contains($0) } ?? text.endIndex
        return text[..<start] + removing(Array(values), from: String(text[start..<end])) + text[end...]
    }

    /// A field's value as texts show it.
    package static func value(of field: HTTPField, secretNames: SecretNameSet) -> String {
        guard secretNames.contains(field.name) else {
            return holdsURLs(field.name)
                ? url(text: field.value, secretNames: secretNames) : removing(secretNames.longValues, from: field.value)
        }
        // The scheme of a credential says which one it is without giving it away.
        if field.name == .authorization, let space = field.value.firstIndex(of: " ") {
            return field.value[...space] + mark
        }
        return mark
    }

    /// Fields without the values of secret ones.
    package static func fields(_ fields: HTTPFields, secretNames: SecretNameSet) -> HTTPFields {
        HTTPFields(fields.compactMap { HTTPField(name: $0.name, value: value(of: $0, secretNames: secretNames)) })
    }

    /// Whether the values of a field are URLs, which may have secrets in their queries.
    private static func holdsURLs(_ name: HTTPField.Name) -> Bool {
        name == .location || name == .contentLocation || name == .link
    }

    /// Form items without the values of secret ones.
    package static func form(_ text: String, secretNames: SecretNameSet) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
    }

    private static func item(_ item: String, secretNames: SecretNameSet) -> String {
        guard let equals = item.firstIndex(of: "=") else { return removing(secretNames.longValues, from: item) }
        let name = item[..<equals].removingPercentEncoding ?? String(item[..<equals])
        let value = String(item[item.index(after: equals)...])
        let isSecret = secretNames.contains(name) || (!value.isEmpty && secretNames.pathValues.contains(value))
        return item[...equals] + (isSecret ? mark : removing(secretNames.longValues, from: value))
    }
}
