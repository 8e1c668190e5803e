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

    /// The text of a typed problem, without the secrets of the request and of the reply that it was decoded from.
    static func text(of problem: any Sendable, in reply: Reply, request: HTTPRequest) -> String {
        let media = reply.headerFields[.contentType].map(MediaType.init)
        return cut("\(problem)", request, SentSecrets.values(in: reply.body, media, request.secretNames))
    }

    /// A server may repeat what it was sent: the secrets of the request are taken out by their values.
    private static func cut(_ text: String, _ request: HTTPRequest, _ others: [String] = []) -> String {
        let shown = Redaction.removing(SecretNameSet().hidingValues(of: request).hiding(others).longValues, from: text)
        let visible = shown.filter { $0 == "\n" || !$0.isNewline && !$0.unicodeScalars.contains { $0.value < 0x20 } }
        return visible.count > length ? visible.prefix(length) + "…" : visible
    }
}
