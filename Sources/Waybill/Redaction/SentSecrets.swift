import WaybillJSON
import WaybillSystem

/// A namespace for functions that collect a request's secret values, to remove them from text that may repeat them.
package enum SentSecrets {
    /// Returns the secret values in a request, longest first.
    ///
    /// Values shorter than 4 characters are omitted, because removing every occurrence would garble the text.
    package static func values(of request: CallRequest) -> [String] {
        cleaned(values(of: request.message, request.secretNames) + request.credentials.flatMap(\.secrets))
    }

    /// Returns the secret values in a message, longest first.
    package static func values(of message: HTTPRequest, _ names: SecretNameSet) -> [String] {
        var secrets = values(in: message.headerFields, names)
        secrets += values(inURL: message.url.absoluteString, names)
        secrets += names.values
        if let body = message.body?.bytes {
            secrets += values(in: body, message.headerFields[.contentType].map(MediaType.init), names)
            secrets += values(at: names, in: body)
        }
        return cleaned(secrets)
    }

    /// Returns the values of secret header fields, the secret parts of those values, and the secrets in other fields'
    /// URLs.
    package static func values(in fields: HTTPFields, _ names: SecretNameSet) -> [String] {
        var secrets: [String] = []
        for field in fields {
            if field.isSensitive || names.contains(field.name) {
                secrets.append(field.value)
                secrets += pieces(of: field)
                secrets += passwords(in: field)
            } else if Redaction.mayContainURL(field) {
                secrets += SecretMembers.split(field.value, names).values
            }
        }
        return cleaned(secrets)
    }

    /// Returns the secret values in a URL's query, fragment and path parameters.
    package static func values(inURL url: String, _ names: SecretNameSet) -> [String] {
        let isEnd = { (character: Character) in "?#".contains(character) }
        let end = url.firstIndex(where: isEnd) ?? url.endIndex
        let parameters = url[..<end].split(separator: "/").flatMap { $0.split(separator: ";").dropFirst() }
        let items = url[end...].split { $0 == "&" || isEnd($0) }.flatMap { [$0] + $0.split(separator: ";") }
        let names = names.hidingCode(among: items.map(EncodedItem.init))
        return cleaned((parameters + items).flatMap { values(inForm: $0, names) })
    }

    /// Returns the secret values in a redirect's target, including its authorization code (RFC 6749, section 4.1.2).
    package static func values(inRedirect url: String, _ names: SecretNameSet) -> [String] {
        values(inURL: url, names.hidingCodes())
    }

    /// Returns the secret values in a form or a query.
    private static func values(inForm form: some StringProtocol, _ names: SecretNameSet) -> [String] {
        let items = EncodedItem.all(in: form)
        let names = names.hidingCode(among: items)
        let secrets = items.flatMap { item -> [String] in
            guard let text = item.encodedValue, let value = item.value, names.contains(item.name, of: value) else {
                return []
            }
            guard text.utf8.contains(UInt8(ascii: "+")) else { return [value] }
            // In a form, a plus sign represents a space.
            return [value, text.replacing(bytes: "+", with: " ").percentDecoded]
        }
        return cleaned(secrets)
    }

    /// The maximum size, in bytes, of a body searched for secrets.
    package static let longestBody = 64 * 1024

    /// Returns the values of the secret header fields and query items declared in scopes.
    static func values(in scopes: [Scope], _ names: SecretNameSet) -> [String] {
        var secrets: [String] = []
        for scope in scopes {
            for change in scope.headerFields where change.isSecret || names.contains(change.name) {
                guard let field = change.field else { continue }
                secrets += [field.value] + pieces(of: field) + passwords(in: field)
            }
            for case .add(let item) in scope.query where item.isSecret || names.contains(item.name) {
                secrets.append((item.pieces ?? []).joined(separator: ","))
            }
        }
        return cleaned(secrets)
    }

    /// Returns a credential's secret values that are known before it is fetched.
    static func values(of credential: Authorization.Credential) -> [String] {
        switch credential.secret {
        case .text(let text): values(of: credential, text)
        case .renewable(let secret): secret.present.text.map { values(of: credential, $0) } ?? []
        case .challenged(let secret): cleaned([secret.password])
        case .source: []
        }
    }

    private static func values(of credential: Authorization.Credential, _ text: String) -> [String] {
        guard credential.place == .authorization else { return cleaned([text]) }
        let field = HTTPField(name: .authorization, value: "\(credential.scheme) \(text)")
        return cleaned([field.value] + pieces(of: field) + passwords(in: field))
    }

    /// Returns the secret values in a JSON or form body, longest first.
    package static func values(in body: Data, _ media: MediaType?, _ names: SecretNameSet) -> [String] {
        guard body.count <= longestBody else { return [] }
        let isJSON = media?.isJSON ?? false || JSONText.isContainer(body)
        if isJSON, let value = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: body) {
            return cleaned(values(of: value, names, isSecret: false))
        }
        guard media?.essence == "application/x-www-form-urlencoded" else { return [] }
        return values(inForm: String(decoding: body, as: UTF8.self), names)
    }

    /// Returns the values at secret paths in a request's body.
    private static func values(at names: SecretNameSet, in body: Data) -> [String] {
        guard !names.bodyPaths.isEmpty,
            let value = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: body)
        else { return [] }
        var secrets: [String] = []
        _ = value.replacingSecrets(at: names) { secret in
            secrets += values(of: secret, names, isSecret: true)
            return secret
        }
        return secrets
    }

    private static func cleaned(_ values: [String]) -> [String] {
        values.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
    }

    /// Returns the secret parts of a secret field's value, without the surrounding syntax.
    private static func pieces(of field: HTTPField) -> [String] {
        switch field.name {
        case .authorization, .proxyAuthorization:
            // A token or parameters follow the scheme (RFC 9110, section 11.4).
            guard let space = field.value.firstIndex(of: " ") else { return [] }
            let rest = field.value[space...].drop { $0 == " " }
            let parameters = rest.split(separator: ",").compactMap(parameter)
            return [String(rest)] + parameters.filter { !openParameters.contains($0.name) }.map(\.value)
        case .cookie: return field.value.split(separator: ";").compactMap(parameter).map(\.value)
        // Attributes follow the cookie (RFC 6265, section 4.1.1).
        case .setCookie: return field.value.split(separator: ";").prefix(1).compactMap(parameter).map(\.value)
        default: return field.value.split(whereSeparator: { " =;,".contains($0) }).map(String.init)
        }
    }

    /// Parses a name and a value, which may be quoted.
    private static func parameter(_ text: Substring) -> (name: String, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let name = parts[0].trimmed().lowercased()
        let isFiller = { (character: Character) in " \t\"".contains(character) }
        guard let first = parts[1].firstIndex(where: { !isFiller($0) }),
            let last = parts[1].lastIndex(where: { !isFiller($0) })
        else { return (name, "") }
        return (name, String(parts[1][first...last]))
    }

    /// The credential parameters that are not secret: the user name, values from the challenge, and parameters that
    /// describe the response (RFC 7616, section 3.4).
    private static let openParameters: Set<String> = [
        "username", "realm", "nonce", "opaque", "algorithm", "qop", "uri", "nc", "userhash", "charset",
    ]

    /// Returns the decoded `user:password` of a basic credential (RFC 7617), and the password alone, because a server
    /// may repeat either.
    private static func passwords(in field: HTTPField) -> [String] {
        let parts = field.value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(parts[1]))
        else { return [] }
        let pair = String(decoding: bytes, as: UTF8.self)
        return [pair] + pair.split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
    }

    private static func values(of value: JSONValue, _ names: SecretNameSet, isSecret: Bool) -> [String] {
        if let object = value.objectValue {
            let names = names.hidingCode(amongKeys: object.keys)
            return object.flatMap { key, member in
                let isSecret = isSecret || names.contains(key, of: member.stringValue ?? "")
                return values(of: member, names, isSecret: isSecret)
            }
        }
        if let list = value.arrayValue { return list.flatMap { values(of: $0, names, isSecret: isSecret) } }
        switch value {
        // These reveal nothing beyond their type, and occur in most text.
        case .null, .bool: return []
        case .string(let text) where !isSecret:
            // Servers embed JSON and signed URLs in strings.
            return SecretMembers.mayHaveSecrets(text) ? SecretMembers.split(text, names).values : []
        default: return isSecret ? [value.stringValue ?? value.description] : []
        }
    }
}

extension SecretNameSet {
    /// Returns the secret names for a JSON object with the given keys, including `code` if a key is a token request
    /// parameter.
    func hidingCode(amongKeys keys: some Sequence<String>) -> SecretNameSet {
        keys.contains(where: Self.isTokenRequestParameter) ? hidingCodes() : self
    }

    /// Returns the names with the request's secret values added, for URLs in which a server may repeat them.
    package func hidingValues(of request: CallRequest) -> SecretNameSet {
        hiding(request.secrets.values)
    }
}

/// A namespace for replacing the secrets in a cursor's path with placeholders, such as `‹secret 1›`, and restoring
/// them.
package enum PathSecrets {
    /// Returns a path with a placeholder for each secret.
    package static func removing(_ secrets: [String], from path: String) -> String {
        guard !secrets.isEmpty else { return path }
        return mapped(path) { segment in
            for (index, secret) in secrets.enumerated() {
                // Short text may occur in other segments by chance, so it must match a whole segment.
                if segment == secret { return mark(index) }
                if secret.count >= 4, segment.contains(secret) {
                    return segment.replacing(bytes: secret, with: mark(index))
                }
            }
            return segment
        }
    }

    /// Returns a path with its placeholders replaced by the secrets.
    static func restoring(_ secrets: [String], in path: String) -> String {
        var restored = path
        for (index, secret) in secrets.enumerated() {
            restored = restored.replacing(bytes: mark(index), with: secret)
        }
        return restored
    }

    private static func mark(_ index: Int) -> String { PercentEncoding.encode("‹secret \(index + 1)›") }

    private static func mapped(_ path: String, _ transform: (String) -> String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { transform(String($0)) }
            .joined(separator: "/")
    }
}

extension Redaction {
    /// Returns a JSON value with the values of secret keys and the secrets in strings redacted.
    ///
    /// Values nested deeper than `depth` levels are redacted entirely.
    package static func json(_ value: JSONValue, secretNames: SecretNameSet, depth: Int = 64) -> JSONValue {
        guard depth > 0 else { return .string(mark) }
        switch value {
        case .object(let members):
            let secretNames = secretNames.hidingCode(amongKeys: members.keys)
            var redacted = members
            for (key, member) in members {
                redacted[key] =
                    secretNames.contains(key, of: member.stringValue ?? "")
                    ? .string(mark) : json(member, secretNames: secretNames, depth: depth - 1)
            }
            return .object(redacted)
        case .array(let list):
            return .array(list.map { json($0, secretNames: secretNames, depth: depth - 1) })
        case .string(let text) where SecretMembers.mayHaveSecrets(text):
            return .string(SecretMembers.removed(from: text, secretNames))
        default: return value
        }
    }
}
