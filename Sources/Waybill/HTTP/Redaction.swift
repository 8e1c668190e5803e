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
        // First of all, because a value may have characters that part URLs.
        var text = removing(secretNames.longValues, from: text)
        // Servers write `https:\\user@host` and `https:/user@host` too, and browsers take them for what was meant.
        if let start = endOfScheme(in: text) {
            let end = text[start...].firstIndex { "/\\?#".contains($0) } ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@") { text.replaceSubrange(start..<at, with: mark) }
        }
        if !secretNames.pathValues.isEmpty { text = withoutSecretsInPath(text, secretNames.pathValues) }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path = text[..<end].split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.contains(";") ? parameters(String($0), secretNames: secretNames) : String($0) }
            .joined(separator: "/")
        guard end < text.endIndex else { return path }
        let items = text[text.index(after: end)...].split(separator: "&", omittingEmptySubsequences: false)
            .map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
        return path + text[end...end] + items
    }

    /// The place behind the scheme and its slashes, or behind the slashes of a reference without a scheme.
    private static func endOfScheme(in text: String) -> String.Index? {
        let isSlash = { (character: Character) in character == "/" || character == "\\" }
        let end = text.firstIndex { "/\\?#:".contains($0) } ?? text.endIndex
        guard end < text.endIndex else { return nil }
        if text[end] == ":" { return text[text.index(after: end)...].firstIndex { !isSlash($0) } }
        guard text[..<end].allSatisfy(\.isWhitespace), text[end...].prefix(while: isSlash).count > 1 else { return nil }
        return text[end...].firstIndex { !isSlash($0) }
    }

    /// Parameters behind a `;`, or whatever else servers put between items, without the values of secret ones.
    private static func parameters(_ text: String, secretNames: SecretNameSet) -> String {
        var start = text.startIndex
        while let separator = text[start...].firstIndex(where: { ";?#".contains($0) }) {
            start = text.index(after: separator)
            let rest = text[start...]
            guard let equals = rest.firstIndex(of: "="), !rest[..<equals].contains(where: { ";?#".contains($0) }) else {
                continue
            }
            let name = rest[..<equals].removingPercentEncoding ?? String(rest[..<equals])
            // What belongs to the value and what follows it, nobody can tell.
            if secretNames.contains(name) { return text[...equals] + mark }
        }
        return text
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
        name == .location || name == .contentLocation || name == .link || name.canonicalName == "referer"
            || name.canonicalName == "refresh"
    }

    /// Form items without the values of secret ones.
    package static func form(_ text: String, secretNames: SecretNameSet) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
    }

    private static func item(_ item: String, secretNames: SecretNameSet) -> String {
        guard !item.isEmpty else { return item }
        guard let equals = item.firstIndex(of: "=") else { return removing(secretNames.longValues, from: item) }
        let name = item[..<equals].removingPercentEncoding ?? String(item[..<equals])
        let value = String(item[item.index(after: equals)...])
        let isSecret = secretNames.contains(name) || (!value.isEmpty && secretNames.pathValues.contains(value))
        if isSecret { return item[...equals] + mark }
        return removing(secretNames.longValues, from: parameters(item, secretNames: secretNames))
    }
}
