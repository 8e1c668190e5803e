import WaybillSystem

/// Functions that remove secrets from texts.
package enum Redaction {
    /// The replacement for a secret.
    package static let mark = "‹redacted›"

    /// Returns the text of a URL with its user information, secret query values and secrets in the path redacted.
    package static func url(_ url: URL, secretNames: SecretNameSet) -> String {
        self.url(text: url.absoluteString, secretNames: secretNames)
    }

    /// Returns the text of a URL, which may be invalid, with secrets redacted.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - secretNames: the secret names and values.
    ///   - isRedirect: whether the URL is a redirect target, in which `code` may be an authorization code (RFC 6749,
    ///     section 4.1.2).
    /// - Returns: the redacted text.
    package static func url(text: String, secretNames: SecretNameSet, isRedirect: Bool = false) -> String {
        let names = isRedirect ? secretNames.hidingCodes() : secretNames
        return url(text: text, names)
    }

    private static func url(text: String, _ secretNames: SecretNameSet) -> String {
        // Most URLs consist only of a scheme, a host and a path.
        if secretNames.pathValues.isEmpty, !text.utf8.contains(where: separatesParts) { return text }
        // Values are removed first, because they may contain characters that separate the parts of a URL.
        var text = removing(secretNames.longValues, from: text)
        // Some servers send `https:\\user@host` or `https:/user@host`, which browsers accept.
        if let start = endOfScheme(in: text) {
            let end = text[start...].firstIndex { "/\\?#".contains($0) } ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@") { text.replaceSubrange(start..<at, with: mark) }
        }
        if !secretNames.pathValues.isEmpty { text = redactingPath(text, secretNames.pathValues) }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path = text[..<end].split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.contains(";") ? parameters(String($0), secretNames: secretNames) : String($0) }
            .joined(separator: "/")
        guard end < text.endIndex else { return path }
        return path + text[end...end] + form(text[text.index(after: end)...], secretNames: secretNames)
    }

    /// Whether a byte is `@`, `?`, `#` or `;`, which can separate a secret from the rest of a URL.
    private static func separatesParts(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "@") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }

    /// Returns the index after the scheme and its slashes, or after the slashes of a reference without a scheme.
    private static func endOfScheme(in text: String) -> String.Index? {
        let isSlash = { (character: Character) in character == "/" || character == "\\" }
        let end = text.firstIndex { "/\\?#:".contains($0) } ?? text.endIndex
        guard end < text.endIndex else { return nil }
        if text[end] == ":" { return text[text.index(after: end)...].firstIndex { !isSlash($0) } }
        guard text[..<end].allSatisfy(\.isWhitespace), text[end...].prefix(while: isSlash).count > 1 else { return nil }
        return text[end...].firstIndex { !isSlash($0) }
    }

    /// Returns parameters, separated by `;`, `?` or `#`, with secret values redacted.
    private static func parameters(_ text: String, secretNames: SecretNameSet) -> String {
        var start = text.startIndex
        while let separator = text[start...].firstIndex(where: { ";?#".contains($0) }) {
            start = text.index(after: separator)
            let rest = text[start...]
            guard let equals = rest.firstIndex(of: "="), !rest[..<equals].contains(where: { ";?#".contains($0) }) else {
                continue
            }
            let name = rest[..<equals].percentDecoded
            // The end of the value is unknown, so the rest is removed too.
            let value = rest[equals...].dropFirst().prefix { !";?#".contains($0) }
            if secretNames.contains(name, of: value) { return text[...equals] + mark }
        }
        return text
    }

    private static func redactingPath(_ text: String, _ values: Set<String>) -> String {
        let authority = text.firstRange(ofBytes: "//")?.upperBound ?? text.startIndex
        let start = text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let end = text[start...].firstIndex { "?#".contains($0) } ?? text.endIndex
        return text[..<start] + removing(Array(values), from: String(text[start..<end])) + text[end...]
    }

    /// Returns the items of a form or a query with secret values redacted.
    package static func form(_ text: some StringProtocol, secretNames: SecretNameSet) -> String {
        let items = EncodedItem.all(in: text, keepingEmpty: true)
        let names = secretNames.hidingCode(among: items)
        return items.map { item($0, secretNames: names) }.joined(separator: "&")
    }

    private static func item(_ item: EncodedItem, secretNames: SecretNameSet) -> String {
        let text = String(item.text)
        guard !text.isEmpty else { return text }
        guard let value = item.encodedValue else { return removing(secretNames.longValues, from: text) }
        let isSecret =
            secretNames.contains(item.name, of: value.percentDecoded)
            || (!value.isEmpty && secretNames.pathValues.contains(String(value)))
        if isSecret { return "\(item.encodedName)=\(mark)" }
        return removing(secretNames.longValues, from: parameters(text, secretNames: secretNames))
    }
}

extension SecretNameSet {
    /// Returns the set for the items of a form or a query: it also hides `code` if they belong to a token request.
    package func hidingCode(among items: [EncodedItem]) -> SecretNameSet {
        items.contains { Self.isTokenRequestParameter($0.name) } ? hidingCodes() : self
    }
}
