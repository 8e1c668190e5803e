import Foundation

/// The beginning of a failed response's body, for its error's text: of JSON and of plain text, without secrets.
struct BodyExcerpt {
    /// The excerpt; nil for a body of another kind.
    let text: String?

    private static let length = 400

    init(of reply: Reply, request: HTTPRequest) {
        let media = reply.headerFields[.contentType].map(MediaType.init)
        switch media {
        case let media? where media.isJSON:
            let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: reply.body)
            text = value.map {
                Self.cut(Redaction.json($0, secretNames: request.secretNames).description, request)
            }
        case let media? where media.essence == "text/plain":
            text = String(data: reply.body, encoding: .utf8).map { Self.cut($0, request) }
        default:
            text = nil
        }
    }

    /// The text of a typed problem, without the secrets of the request.
    static func text(of problem: any Sendable, request: HTTPRequest) -> String { cut("\(problem)", request) }

    /// A server may repeat what it was sent: the secrets of the request are taken out by their values.
    private static func cut(_ text: String, _ request: HTTPRequest) -> String {
        var shown = text
        for secret in secrets(of: request) { shown = shown.replacingOccurrences(of: secret, with: Redaction.mark) }
        let visible = shown.filter { $0 == "\n" || !$0.isNewline && !$0.unicodeScalars.contains { $0.value < 0x20 } }
        return visible.count > length ? visible.prefix(length) + "…" : visible
    }

    private static func secrets(of request: HTTPRequest) -> [String] {
        var secrets: [String] = []
        for field in request.headerFields where request.secretNames.contains(field.name) {
            secrets.append(field.value)
            secrets += field.value.split(whereSeparator: { " =;,".contains($0) }).map(String.init)
        }
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        secrets += items.filter { request.secretNames.contains($0.name) }.compactMap(\.value)
        secrets += request.credential?.secrets ?? []
        secrets += bodySecrets(of: request)
        // A short piece is no secret, and taking it out everywhere would spoil the text.
        return secrets.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
    }

    private static func bodySecrets(of request: HTTPRequest) -> [String] {
        guard let bytes = request.body?.bytes, bytes.count <= 64 * 1024 else { return [] }
        let media = request.headerFields[.contentType].map(MediaType.init)
        if media?.isJSON ?? false, let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes) {
            return secrets(of: value, request.secretNames, isSecret: false)
        }
        guard media?.essence == "application/x-www-form-urlencoded" else { return [] }
        var form = URLComponents()
        form.percentEncodedQuery = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "+", with: "%20")
        return (form.queryItems ?? []).filter { request.secretNames.contains($0.name) }.compactMap(\.value)
    }

    private static func secrets(of value: JSONValue, _ names: SecretNameSet, isSecret: Bool) -> [String] {
        if let object = value.objectValue {
            return object.flatMap { secrets(of: $0.value, names, isSecret: isSecret || names.contains($0.key)) }
        }
        if let list = value.arrayValue { return list.flatMap { secrets(of: $0, names, isSecret: isSecret) } }
        return isSecret ? [value.stringValue ?? value.description] : []
    }
}
