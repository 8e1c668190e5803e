import WaybillSystem

/// A redaction that removes secrets from page requests, so that cursors never store them.
///
/// Some servers copy the complete request URL, including the API key, into the link to the next page. The client adds
/// its secrets again when it follows the cursor.
struct CursorRedaction {
    private let queryNames: Set<String>
    private let fieldNames: Set<String>
    private let secrets: CallSecrets
    private let pathSecrets: [String]

    /// Creates a redaction for a plan's declared secrets and those sent with the page request.
    init(of plan: Call.Plan, sent: CallSecrets?) {
        let names = plan.secretNames
        var queryNames: Set<String> = []
        var fieldNames: Set<String> = []
        for scope in plan.scopes {
            for case .add(let item) in scope.query where item.isSecret || names.contains(item.name) {
                queryNames.insert(item.name)
            }
            for change in scope.headerFields where change.isSecret || names.contains(change.name) {
                if case .remove = change { continue }
                fieldNames.insert(change.name.canonicalName)
            }
        }
        for credential in plan.settings[Authorization.self]?.credentials ?? [] {
            switch credential.place {
            case .query(let name): queryNames.insert(name)
            case .field(let name): fieldNames.insert(name.lowercased())
            case .authorization: fieldNames.insert("authorization")
            }
        }
        self.queryNames = queryNames
        self.fieldNames = fieldNames
        secrets = sent ?? plan.secrets
        pathSecrets = plan.pathSecrets
    }

    /// Returns a copy of the request without secrets.
    ///
    /// - Throws: ``PaginationProblem`` if a token for the page contains a secret, because removing it would select a
    ///   different page.
    func request(_ request: Paginated.Scheme.Request) throws(PaginationProblem) -> Paginated.Scheme.Request {
        var redacted = request
        for field in request.query.fields where queryNames.contains(field.name) { redacted.query[field.name] = nil }
        for field in request.headerFields.fields where fieldNames.contains(field.name.asciiLowercased) {
            redacted.headerFields[field.name] = nil
        }
        // Short values, such as page numbers, cannot contain a secret of the minimum checked length.
        let fields = redacted.query.fields + redacted.headerFields.fields
        let tokens = (fields.map(\.value) + redacted.bodyTexts).filter(Self.isLong)
        if !tokens.isEmpty {
            let values = secrets.values
            guard !tokens.contains(where: { isSecret($0, values) }) else {
                throw PaginationProblem(
                    "the token for the next page repeats a secret of the call, which a cursor must not contain"
                )
            }
        }
        redacted.url = request.url.map(url)
        return redacted
    }

    /// Whether a string is long enough to check; a short secret could occur in a token by chance.
    private static func isLong(_ text: String) -> Bool { text.utf8.count >= 8 }

    /// Returns a URL without its user info and secret query items, and with placeholders for the secrets in its path.
    func url(_ text: String) -> String {
        let values = secrets.values
        let text = UserInfo.removed(from: text)
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path = PathSecrets.removing(pathSecrets, from: String(text[..<end]))
        guard end < text.endIndex, text[end] == "?" else { return removed(values, from: path + text[end...]) }
        let kept = EncodedItem.all(in: text[text.index(after: end)...], keepingEmpty: true).filter { item in
            !queryNames.contains(item.name) && !isSecret(String(item.text), values)
        }
        return removed(values, from: kept.isEmpty ? path : path + "?" + kept.encodedText)
    }

    /// Removes secrets from a link; a link with a secret in its host or path becomes unusable.
    private func removed(_ values: [String], from url: String) -> String {
        isSecret(url, values) ? Redaction.removing(SecretNameSet().hiding(values).longValues, from: url) : url
    }

    /// Whether a string contains any of the long secret values, in any encoding.
    private func isSecret(_ text: String, _ values: [String]) -> Bool {
        let values = values.filter(Self.isLong)
        if values.isEmpty || !Self.isLong(text) { return false }
        if values.contains(where: text.contains) { return true }
        let isPlain = !text.utf8.contains { "%+&\\".utf8.contains($0) }
        let forms = SecretNameSet().hiding(values).longValues
        return isPlain ? forms.contains(where: text.contains) : Redaction.removing(forms, from: text) != text
    }
}

extension Paginated.Scheme.Request {
    /// All strings in the body values.
    fileprivate var bodyTexts: [String] { (body?.texts ?? []) + (elements ?? []).flatMap(\.value.texts) }
}

extension JSONValue {
    /// All strings in the value, object keys included.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.flatMap { [$0.key] + $0.value.texts }
        case .null, .bool, .integer, .number, .double, .numeral: []
        }
    }
}
