import Foundation

/// Leaves secrets out of texts.
package enum Redaction {
    /// What stands for a secret.
    package static let mark = "‹redacted›"

    /// A URL's text without the values of secret query items, and without a user and password.
    package static func url(_ url: URL, secretNames: Set<String>) -> String {
        var text = url.absoluteString
        if let user = url.user, let range = text.range(of: "//\(user)"), let at = text.firstIndex(of: "@") {
            text.replaceSubrange(range.lowerBound...at, with: "//\(mark)@")
        }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return text[...mark] + items.map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
    }

    /// A field's value as texts show it.
    package static func value(of field: HTTPField, secretNames: Set<String>) -> String {
        guard secretNames.contains(field.name.canonicalName) else { return field.value }
        // The scheme of a credential says which one it is without giving it away.
        if field.name == .authorization, let space = field.value.firstIndex(of: " ") {
            return field.value[...space] + mark
        }
        return mark
    }

    /// Form items without the values of secret ones.
    package static func form(_ text: String, secretNames: Set<String>) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
    }

    private static func item(_ item: String, secretNames: Set<String>) -> String {
        guard let equals = item.firstIndex(of: "=") else { return item }
        let name = item[..<equals].removingPercentEncoding ?? String(item[..<equals])
        // `user[password]` is as secret as `password`.
        let parts = name.lowercased().split { $0 == "[" || $0 == "]" }.map(String.init)
        return parts.contains(where: secretNames.contains) ? "\(item[...equals])\(mark)" : item
    }
}
