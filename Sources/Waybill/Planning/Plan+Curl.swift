import WaybillJSON
import WaybillSystem

extension Plan {
    /// Returns the call as a `curl` command for a POSIX shell.
    ///
    /// Secrets are redacted unless asked for: credentials, header fields, query items and keys of JSON and form bodies
    /// by their names (see ``Secret``). A credential that is fetched when the request is sent is never shown. Bytes
    /// that are not text are left to a file.
    public func curl(revealingSecrets: Bool = false) -> String {
        var parts = ["curl --request \(method) \(Self.quoted(shownURL(revealingSecrets)))"]
        if method == .head { parts = ["curl --head \(Self.quoted(shownURL(revealingSecrets)))"] }
        let hidden = secrets.collected
        // The command creates the upload; the body follows in other requests.
        let hasContent = !(settings[Resumable.self]?.createsWithoutContent ?? false)
        let formParts = !hasContent ? nil : form.flatMap { formOptions($0, revealingSecrets: revealingSecrets) }
        // With the options of a form, curl writes a boundary of its own.
        for field in headerFields where formParts == nil || field.name != .contentType {
            let value = revealingSecrets ? field.value : Redaction.value(of: field, secretNames: hidden)
            // curl drops a field with an empty value unless it ends in a semicolon.
            parts.append("--header \(Self.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        parts += credentials.flatMap { options(of: $0, revealingSecrets) }
        if let formParts {
            parts += formParts
        } else if hasContent, let body {
            parts.append(dataOption(body, revealingSecrets))
        }
        return parts.joined(separator: " \\\n  ")
    }

    private func shownURL(_ revealingSecrets: Bool) -> String {
        let text = revealingSecrets ? url.absoluteString : shownURL
        let items = credentials.compactMap { credential -> String? in
            guard case .query(let name) = credential.place else { return nil }
            let secret = credential.shownSecret(revealingSecrets)
            let value = secret.isText ? PercentEncoding.encode(secret.text) : secret.text
            return "\(PercentEncoding.encode(name))=\(value)"
        }
        guard !items.isEmpty else { return text }
        return text + (url.query == nil ? "?" : "&") + items.joined(separator: "&")
    }

    private func options(of credential: Authorization.Credential, _ revealingSecrets: Bool) -> [String] {
        let secret = credential.shownSecret(revealingSecrets).text
        if case .digest(let user, _) = credential.secret {
            return ["--digest", "--user \(Self.quoted("\(user):\(secret)"))"]
        }
        switch credential.place {
        case .authorization: return ["--header \(Self.quoted("Authorization: \(credential.scheme) \(secret)"))"]
        case .field(let name): return ["--header \(Self.quoted("\(name): \(secret)"))"]
        case .query: return []
        }
    }

    private func dataOption(_ body: HTTPBody, _ revealingSecrets: Bool) -> String {
        guard let bytes = body.bytes else { return "--data-binary @body" }
        guard let text = String(data: bytes, encoding: .utf8), !text.contains("\0") else {
            return "--data-binary @body"
        }
        // What cannot be looked through for secrets is left to a file.
        guard let shown = revealingSecrets ? text : redacted(text, bytes) else { return "--data-binary @body" }
        return "--data-raw \(Self.quoted(shown))"
    }

    private func redacted(_ text: String, _ bytes: Data) -> String? {
        let media = headerFields[.contentType].map(MediaType.init)
        if media?.essence == "application/x-www-form-urlencoded" {
            return Redaction.form(text, secretNames: secretNames)
        }
        guard media?.isJSON ?? false || JSONText.isContainer(bytes) else { return text }
        return shownJSON(text, bytes)
    }

    /// Returns JSON without the values of secret keys; nil for a text that is not JSON.
    func shownJSON(_ text: String, _ bytes: Data) -> String? {
        guard let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes) else { return nil }
        let redacted = Redaction.json(value, secretNames: secretNames)
        return redacted == value ? text : redacted.description
    }

    /// Returns a text as a word of a POSIX shell.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing(bytes: "'", with: "'\\''") + "'"
    }
}

extension Authorization.Credential {
    /// Returns the secret as a text shows it, and whether that is the secret itself.
    fileprivate func shownSecret(_ revealingSecrets: Bool) -> (text: String, isText: Bool) {
        switch secret {
        case .text(let text) where revealingSecrets: (text, true)
        case .digest(_, let password) where revealingSecrets: (password, true)
        case .text, .digest: (Redaction.mark, false)
        case .source, .renewable: ("‹fetched when sent›", false)
        }
    }
}
