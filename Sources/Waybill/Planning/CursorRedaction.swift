import Foundation

/// Takes out of the request for a page what its client puts into each request itself, so that no cursor keeps a secret.
///
/// Servers write the whole URL of a request, its key included, into the link to the next page.
struct CursorRedaction {
    private let queryNames: Set<String>
    private let fieldNames: Set<String>
    private let secrets: any CallSecrets
    private let pathSecrets: [String]

    /// Creates a redaction by what a call declares as secret, and by what the request for a page has sent.
    init(of plan: Plan, sent: (any CallSecrets)?) {
        let names = plan.secretNames
        var queryNames: Set<String> = []
        var fieldNames: Set<String> = []
        for scope in plan.scopes {
            for case .add(let item) in scope.query where item.isSecret || names.contains(item.name) {
                queryNames.insert(item.name)
            }
            for case .add(let field, let isSecret) in scope.headerFields where isSecret || names.contains(field.name) {
                fieldNames.insert(field.name.canonicalName)
            }
        }
        switch plan.settings[Authorization.self]?.credential?.place {
        case .query(let name)?: queryNames.insert(name)
        case .field(let name)?: fieldNames.insert(name.lowercased())
        case .authorization?: fieldNames.insert("authorization")
        case nil: break
        }
        self.queryNames = queryNames
        self.fieldNames = fieldNames
        secrets = sent ?? plan.secrets
        pathSecrets = plan.pathSecrets
    }

    /// Returns the request without secrets.
    ///
    /// - Throws: ``PaginationProblem`` if a token for the page repeats a secret: without it, the request would be for
    ///   another page.
    func request(_ request: PageRequest) throws(PaginationProblem) -> PageRequest {
        var redacted = request
        for field in request.query.fields where queryNames.contains(field.name) { redacted.query[field.name] = nil }
        for field in request.headerFields.fields where fieldNames.contains(field.name.asciiLowercased) {
            redacted.headerFields[field.name] = nil
        }
        // A number of a page or of items is shorter than what is taken for a secret.
        let tokens = (redacted.query.fields + redacted.headerFields.fields).map(\.value).filter(Self.isLong)
        if !tokens.isEmpty {
            let values = secrets.values
            guard !tokens.contains(where: { isSecret($0, values) }) else {
                throw .missing("the token for the next page repeats a secret of the call, which no cursor may hold")
            }
        }
        redacted.url = request.url.map(url)
        return redacted
    }

    /// Whether a text can be a secret that is looked for inside other texts: tokens have short numbers in them by
    /// chance.
    private static func isLong(_ text: String) -> Bool { text.utf8.count >= 8 }

    /// Returns a URL without the query items that are secret, and with marks in place of what is secret in its path.
    func url(_ text: String) -> String {
        let values = secrets.values
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path = PathSecrets.removing(pathSecrets, from: String(text[..<end]))
        guard end < text.endIndex, text[end] == "?" else { return removed(values, from: path + text[end...]) }
        let items = text[text.index(after: end)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            let name = item.prefix { $0 != "=" }
            return !queryNames.contains(name.removingPercentEncoding ?? String(name)) && !isSecret(String(item), values)
        }
        return removed(values, from: kept.isEmpty ? path : path + "?" + kept.joined(separator: "&"))
    }

    /// A link to a host or a path that repeats a secret leads nowhere then; it never was one to follow.
    private func removed(_ values: [String], from url: String) -> String {
        isSecret(url, values) ? Redaction.removing(SecretNameSet().hiding(values).longValues, from: url) : url
    }

    /// Whether a text has one of the long values in it, in any form.
    private func isSecret(_ text: String, _ values: [String]) -> Bool {
        let values = values.filter(Self.isLong)
        if values.isEmpty || !Self.isLong(text) { return false }
        if values.contains(where: text.contains) { return true }
        let isPlain = !text.utf8.contains { "%+&\\".utf8.contains($0) }
        let forms = SecretNameSet().hiding(values).longValues
        return isPlain ? forms.contains(where: text.contains) : Redaction.removing(forms, from: text) != text
    }
}

/// The secrets of a path, for which a cursor has marks: `‹secret 1›`.
enum PathSecrets {
    /// Returns a path with a mark in place of each secret.
    static func removing(_ secrets: [String], from path: String) -> String {
        guard !secrets.isEmpty else { return path }
        return mapped(path) { segment in
            for (index, secret) in secrets.enumerated() {
                // A short text may stand in another segment too, and is a secret only where it is all of one.
                if segment == secret { return mark(index) }
                if secret.count >= 4, segment.contains(secret) {
                    return segment.replacingOccurrences(of: secret, with: mark(index))
                }
            }
            return segment
        }
    }

    /// Returns a path with the secrets in place of their marks.
    static func restoring(_ secrets: [String], in path: String) -> String {
        var restored = path
        for (index, secret) in secrets.enumerated() {
            restored = restored.replacingOccurrences(of: mark(index), with: secret)
        }
        return restored
    }

    private static func mark(_ index: Int) -> String { PercentEncoding.encode("‹secret \(index + 1)›") }

    private static func mapped(_ path: String, _ transform: (String) -> String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { transform(String($0)) }
            .joined(separator: "/")
    }
}
