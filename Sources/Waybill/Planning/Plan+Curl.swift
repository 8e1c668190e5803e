import Foundation

extension Plan {
    /// The call as a `curl` command for a POSIX shell.
    ///
    /// Secrets are redacted unless asked for: credentials, header fields, query items and keys of JSON and form bodies
    /// by their names (see ``Secret``). A credential that is fetched when the request is sent is never shown. Bytes
    /// that are not text are left to a file.
    public func curl(revealingSecrets: Bool = false) -> String {
        var parts = ["curl --request \(method) \(quoted(shownURL(revealingSecrets)))"]
        if method == .head { parts = ["curl --head \(quoted(shownURL(revealingSecrets)))"] }
        for field in headerFields {
            let value = revealingSecrets ? field.value : Redaction.value(of: field, secretNames: secretNames)
            // curl drops a field with an empty value unless a semicolon says that this is meant.
            parts.append("--header \(quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        if let credential {
            parts.append("--header \(quoted("Authorization: \(credential.text(revealingSecrets))"))")
        }
        if let body { parts.append(dataOption(body, revealingSecrets)) }
        return parts.joined(separator: " \\\n  ")
    }

    private func shownURL(_ revealingSecrets: Bool) -> String {
        revealingSecrets ? url.absoluteString : Redaction.url(url, secretNames: secretNames)
    }

    private func dataOption(_ body: HTTPBody, _ revealingSecrets: Bool) -> String {
        guard let bytes = body.bytes else { return "--data-binary @body" }
        guard let text = String(data: bytes, encoding: .utf8), !text.contains("\0") else {
            return "--data-binary @body"
        }
        // What cannot be looked through for secrets is left to a file.
        guard let shown = revealingSecrets ? text : redacted(text, bytes) else { return "--data-binary @body" }
        return "--data-raw \(quoted(shown))"
    }

    private func redacted(_ text: String, _ bytes: Data) -> String? {
        let media = headerFields[.contentType].map(MediaType.init)
        if media?.essence == "application/x-www-form-urlencoded" {
            return Redaction.form(text, secretNames: secretNames)
        }
        guard media?.isJSON ?? false else { return text }
        guard let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes) else { return nil }
        let redacted = Redaction.json(value, secretNames: secretNames)
        return redacted == value ? text : redacted.description
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}

extension Credential {
    /// The field's value as a text shows it.
    fileprivate func text(_ revealingSecrets: Bool) -> String {
        switch secret {
        case .text(let text) where revealingSecrets: "\(scheme) \(text)"
        case .text: "\(scheme) \(Redaction.mark)"
        case .source: "\(scheme) ‹fetched when sent›"
        }
    }
}
