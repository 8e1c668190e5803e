import WaybillSystem

/// Functions that remove secrets from texts.
package enum Redaction {
    /// The text in place of a secret.
    package static let mark = "‹redacted›"

    /// Returns the text of a URL without a user and password, the values of secret query items, and secrets in the
    /// path.
    package static func url(_ url: URL, secretNames: SecretNameSet) -> String {
        self.url(text: url.absoluteString, secretNames: secretNames)
    }

    /// Returns the text without the secrets of a URL; a server may have sent one that is not valid.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - secretNames: the names.
    ///   - isRedirect: whether the URL is the target of a redirect, in which `code` may be an authorization code
    ///     (RFC 6749, section 4.1.2).
    /// - Returns: the text without secrets.
    package static func url(text: String, secretNames: SecretNameSet, isRedirect: Bool = false) -> String {
        // Most URLs consist of a scheme, a host and a path.
        if secretNames.pathValues.isEmpty, !text.utf8.contains(where: separatesParts) { return text }
        // First, because a value may have characters that separate parts of a URL.
        var text = removing(secretNames.longValues, from: text)
        // Servers also write `https:\\user@host` and `https:/user@host`, which browsers accept.
        if let start = endOfScheme(in: text) {
            let end = text[start...].firstIndex { "/\\?#".contains($0) } ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@") { text.replaceSubrange(start..<at, with: mark) }
        }
        if !secretNames.pathValues.isEmpty { text = withoutSecretsInPath(text, secretNames.pathValues) }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path = text[..<end].split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.contains(";") ? parameters(String($0), secretNames: secretNames, isRedirect) : String($0) }
            .joined(separator: "/")
        guard end < text.endIndex else { return path }
        let items = text[text.index(after: end)...].split(separator: "&", omittingEmptySubsequences: false)
            .map { item(String($0), secretNames: secretNames, isRedirect) }.joined(separator: "&")
        return path + text[end...end] + items
    }

    /// The fewest characters of an authorization code; a shorter value is of a country or the like.
    package static let shortestCode = 8

    private static func isCode(_ name: String, _ value: Substring) -> Bool {
        name == "code" && value.prefix { !";?#".contains($0) }.count >= shortestCode
    }

    /// Whether a byte is `@`, `?`, `#` or `;`, next to which a URL may have a secret.
    private static func separatesParts(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "@") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }

    /// Returns the position after the scheme and its slashes, or after the slashes of a reference without a scheme.
    private static func endOfScheme(in text: String) -> String.Index? {
        let isSlash = { (character: Character) in character == "/" || character == "\\" }
        let end = text.firstIndex { "/\\?#:".contains($0) } ?? text.endIndex
        guard end < text.endIndex else { return nil }
        if text[end] == ":" { return text[text.index(after: end)...].firstIndex { !isSlash($0) } }
        guard text[..<end].allSatisfy(\.isWhitespace), text[end...].prefix(while: isSlash).count > 1 else { return nil }
        return text[end...].firstIndex { !isSlash($0) }
    }

    /// Returns parameters, separated by `;`, `?` or `#`, without the values of secret ones.
    private static func parameters(_ text: String, secretNames: SecretNameSet, _ isRedirect: Bool) -> String {
        var start = text.startIndex
        while let separator = text[start...].firstIndex(where: { ";?#".contains($0) }) {
            start = text.index(after: separator)
            let rest = text[start...]
            guard let equals = rest.firstIndex(of: "="), !rest[..<equals].contains(where: { ";?#".contains($0) }) else {
                continue
            }
            let name = PercentEncoding.decode(rest[..<equals]) ?? String(rest[..<equals])
            // The end of the value is unknown, so the rest is removed too.
            let isCode = isRedirect && isCode(name, rest[equals...].dropFirst())
            if secretNames.contains(name) || isCode { return text[...equals] + mark }
        }
        return text
    }

    private static func withoutSecretsInPath(_ text: String, _ values: Set<String>) -> String {
        let authority = text.firstRange(ofBytes: "//")?.upperBound ?? text.startIndex
        let start = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let end = text[start...].firstIndex { "?#".contains($0) } ?? text.endIndex
        return text[..<start] + removing(Array(values), from: String(text[start..<end])) + text[end...]
    }

    /// Returns form items without the values of secret ones.
    package static func form(_ text: String, secretNames: SecretNameSet) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { item(String($0), secretNames: secretNames) }.joined(separator: "&")
    }

    private static func item(_ item: String, secretNames: SecretNameSet, _ isRedirect: Bool = false) -> String {
        guard !item.isEmpty else { return item }
        guard let equals = item.firstIndex(of: "=") else { return removing(secretNames.longValues, from: item) }
        let name = PercentEncoding.decode(item[..<equals]) ?? String(item[..<equals])
        let value = String(item[item.index(after: equals)...])
        let isSecret =
            secretNames.contains(name, of: PercentEncoding.decode(value) ?? value)
            || (!value.isEmpty && secretNames.pathValues.contains(value)) || (isRedirect && isCode(name, value[...]))
        if isSecret { return item[...equals] + mark }
        return removing(secretNames.longValues, from: parameters(item, secretNames: secretNames, isRedirect))
    }
}
