import WaybillJSON
import WaybillSystem

/// The beginning of a failed response's body, for its error's text, without secrets: of JSON, plain text and XML as
/// much as an error holds, of another text the first line.
struct BodyExcerpt {
    /// The excerpt; nil for a body of another kind.
    let text: String?

    private static let length = 400

    init(of reply: Reply, request: CallRequest) {
        let media = reply.headerFields[.contentType].map(MediaType.init)
        let isJSON = media?.isJSON ?? false
        if isJSON || media?.essence != "text/plain" && JSONText.isContainer(reply.body) {
            let value = try? JSONDefaults.decoder.decode(JSONValue.self, from: reply.body)
            let shown = value.map {
                Self.cut(Redaction.json($0, secretNames: request.secretNames).description, sentBy: request)
            }
            if isJSON || shown != nil {
                text = shown
                return
            }
        }
        switch media {
        case let media? where media.essence == "text/plain":
            text = String(data: reply.body, encoding: .utf8).map {
                Self.cut(SecretMembers.removed(from: $0, request.secretNames), sentBy: request)
            }
        default:
            text = FirstLine.text(of: reply.body, media, secretNames: request.secretNames).map {
                Self.cut(SecretMembers.removed(from: $0, request.secretNames), sentBy: request)
            }
        }
    }

    /// Returns the text of a typed problem, without the secrets of the request and of the reply that it was decoded
    /// from.
    static func text(of problem: any Sendable, in reply: Reply, request: CallRequest) -> String {
        // A problem is read from JSON of any media type.
        let others = SentSecrets.values(in: reply.body, MediaType("application/json"), request.secretNames)
        let text = SecretMembers.removed(from: ProblemText.text(of: problem), request.secretNames)
        return cut(text, sentBy: request, others: others)
    }

    /// Removes the secrets of the request from a text, since a server may repeat what it was sent.
    private static func cut(_ text: String, sentBy request: CallRequest, others: [String] = []) -> String {
        let shown = Redaction.removing(SecretNameSet().hidingValues(of: request).hiding(others).longValues, from: text)
        let visible = shown.filter { $0 == "\n" || !$0.isNewline && !$0.unicodeScalars.contains { $0.value < 0x20 } }
        return visible.count > length ? visible.prefix(length) + "…" : visible
    }
}
