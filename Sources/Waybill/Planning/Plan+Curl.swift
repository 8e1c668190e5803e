import WaybillJSON
import WaybillSystem

extension Call.Plan {
    /// Returns the call as a `curl` command for a POSIX shell.
    ///
    /// By default, secrets are redacted: credentials, and header fields, query items and members of JSON and form
    /// bodies with secret names (see ``Secret``). A credential fetched at send time is never shown. A binary body is
    /// read from a file.
    ///
    /// - Parameter revealingSecrets: whether to show secrets, so that the command can be run.
    /// - Returns: the command, split over several lines.
    public func curl(revealingSecrets: Bool = false) -> String {
        let target = Self.target(shownURL(revealingSecrets))
        var parts = [(method == .head ? "curl --head" : "curl --request \(method)") + " \(Self.quoted(target.url))"]
        if let socket = target.socket { parts.append("--unix-socket \(Self.quoted(socket))") }
        let hidden = secrets.collected
        // The command only creates the upload; later requests send its body.
        let hasContent = !sendsContentLater
        let formParts = !hasContent ? nil : form.flatMap { formOptions($0, revealingSecrets: revealingSecrets) }
        // With form options, curl generates the boundary and the content type.
        for field in headerFields where formParts == nil || field.name != .contentType {
            let value = revealingSecrets ? field.value : Redaction.value(of: field, secretNames: hidden)
            // curl drops a field with an empty value unless the option ends in a semicolon.
            parts.append(Self.option(field: value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))
        }
        parts += credentials.flatMap { options(of: $0, revealingSecrets) }
        if let formParts {
            parts += formParts
        } else if hasContent, let body {
            // By default, curl would send a form's content type.
            if !headerFields.contains(.contentType) { parts.append("--header 'Content-Type:'") }
            parts.append(dataOption(body, revealingSecrets))
        } else if Self.methodsWithContent.contains(method), !headerFields.contains(.contentLength) {
            parts.append("--header 'Content-Length: 0'")
        }
        return parts.joined(separator: " \\\n  ")
    }

    /// The methods that usually have content, so transports send `Content-Length: 0` without a body (RFC 9110, section
    /// 8.6).
    private static let methodsWithContent: Set<HTTPRequest.Method> = [.post, .put, .patch, .query]

    /// Returns the URL to pass to curl, and the path of its Unix domain socket, if any.
    private static func target(_ url: String) -> (url: String, socket: String?) {
        let scheme = "http+unix://"
        guard url.prefix(scheme.count).asciiLowercased == scheme else { return (url, nil) }
        let rest = url.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let path = PercentEncoding.decode(rest[..<end]) ?? String(rest[..<end])
        return ("http://localhost" + rest[end...], path)
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
        if case .challenged(let challenged) = credential.secret {
            return [challenged.curlOption, "--user \(Self.quoted("\(challenged.user):\(secret)"))"]
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
        // A body that cannot be searched for secrets is read from a file.
        guard let shown = revealingSecrets ? text : redacted(text, bytes) else { return "--data-binary @body" }
        return "--data-raw \(Self.quoted(shown))"
    }

    private func redacted(_ text: String, _ bytes: Data) -> String? {
        let media = headerFields[.contentType].map(MediaType.init)
        if media?.essence == "application/x-www-form-urlencoded" {
            return Redaction.form(text, secretNames: secretNames)
        }
        guard media?.isJSON ?? false || JSONText.isContainer(bytes) else { return text }
        return shownJSON(text, bytes, removing: Redaction.requestJSON)
    }

    /// Returns JSON without its secrets; nil if the text is not JSON.
    private func shownJSON(
        _ text: String,
        _ bytes: Data,
        removing: (JSONValue, SecretNameSet) -> JSONValue
    ) -> String? {
        guard let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes) else { return nil }
        let redacted = removing(value, secretNames)
        return redacted == value ? text : redacted.description
    }

    /// Returns the option for a header field.
    private static func option(field: String) -> String {
        guard FieldText.containsOpaqueBytes(field) else { return "--header \(quoted(field))" }
        // The command is text and cannot contain arbitrary bytes, so it generates them with `printf`.
        let escaped = FieldText.bytes(of: field.replacing(bytes: "\\", with: "\\\\")).map { byte in
            byte < 0x80 ? String(Unicode.Scalar(byte)) : "\\0" + String(byte, radix: 8)
        }
        return "--header \"$(printf '%b' \(quoted(escaped.joined())))\""
    }

    /// Returns text quoted for a POSIX shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing(bytes: "'", with: "'\\''") + "'"
    }
}

extension Call.Plan {
    /// Returns curl options for the parts of a form; nil if there are no parts, or if curl cannot send one of them.
    private func formOptions(_ form: MultipartForm, revealingSecrets: Bool) -> [String]? {
        // curl ends a name at the first equals sign, and does not escape backslashes.
        let isSendable = form.parts.allSatisfy { part in
            !part.name.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\\") }
                && !(part.fileName ?? "").utf8.contains(UInt8(ascii: "\\"))
        }
        guard isSendable, !form.parts.isEmpty else { return nil }
        return form.parts.map { option(of: $0, revealingSecrets) }
    }

    private func option(of part: EncodedPart, _ revealingSecrets: Bool) -> String {
        let type = part.contentType.map { ";type=\($0)" } ?? ""
        guard part.file == nil, part.fileName == nil,
            let text = shownText(of: part, revealingSecrets)
        else { return "--form \(Self.quoted("\(part.name)=\(source(of: part))\(type)"))" }
        return type.isEmpty
            ? "--form-string \(Self.quoted("\(part.name)=\(text)"))"
            : "--form \(Self.quoted("\(part.name)=\(Self.word(text))\(type)"))"
    }

    /// Returns a reference to the file that contains the content for curl: the part's file, or one for the user to
    /// create.
    private func source(of part: EncodedPart) -> String {
        guard let fileName = part.fileName else { return "<body" }
        let path = part.file?.path ?? (fileName.isEmpty ? "body" : fileName)
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return "@\(Self.word(path))" + (last == fileName ? "" : ";filename=\(Self.word(fileName))")
    }

    /// Returns the content as text without secrets; nil if it is not text, or if it cannot be searched for secrets.
    private func shownText(of part: EncodedPart, _ revealingSecrets: Bool) -> String? {
        guard let bytes = part.content.bytes, let text = String(data: bytes, encoding: .utf8), !text.contains("\0")
        else { return nil }
        if revealingSecrets { return text }
        if secretNames.contains(part.name) { return Redaction.mark }
        let media = part.contentType.map(MediaType.init)
        if media?.essence == "application/x-www-form-urlencoded" {
            return Redaction.removing(secretNames.longValues, from: Redaction.form(text, secretNames: secretNames))
        }
        guard media?.isJSON ?? false || JSONText.isContainer(bytes) else {
            return Redaction.removing(secretNames.longValues, from: text)
        }
        return shownJSON(text, bytes) { Redaction.json($0, secretNames: $1) }
    }

    /// Returns text quoted for curl, so that a semicolon does not end it and an `@` does not denote a file.
    private static func word(_ text: String) -> String {
        "\"" + text.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "\"", with: "\\\"") + "\""
    }
}

extension Authorization.Credential {
    /// Returns the text to show for the secret, and whether the text is the secret itself.
    fileprivate func shownSecret(_ revealingSecrets: Bool) -> (text: String, isText: Bool) {
        switch secret {
        case .text(let text) where revealingSecrets: (text, true)
        case .challenged(let secret) where revealingSecrets: (secret.password, true)
        case .text, .challenged: (Redaction.mark, false)
        case .source, .renewable: ("‹fetched when sent›", false)
        }
    }
}
