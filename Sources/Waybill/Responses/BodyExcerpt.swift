import WaybillJSON
import WaybillSystem

/// An excerpt of a failed response's body for the error description, with secrets removed.
///
/// JSON and plain text are truncated to a maximum length. Any other text is reduced to one line, such as the title of
/// an HTML page.
struct BodyExcerpt {
    /// The excerpt; nil if the body is not text.
    let text: String?

    private static let length = 400

    init(of reply: Reply, request: CallRequest) {
        let media = reply.headerFields[.contentType].map(MediaType.init)
        let isJSON = media?.isJSON ?? false
        if isJSON || media?.essence != "text/plain" && JSONText.isContainer(reply.body) {
            let value = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: reply.body)
            let shown = value.map {
                Self.cut(Redaction.json($0, secretNames: request.secretNames).description, sentBy: request)
            }
            // Proxies sometimes label plain error text as JSON. Text that starts like JSON may contain secrets.
            if shown != nil || isJSON && JSONText.beginsValue(reply.body) {
                text = shown
                return
            }
        }
        let body =
            media?.essence == "text/plain"
            ? String(data: reply.body, encoding: .utf8)
            : OneLineExcerpt.text(of: reply.body, media, secretNames: request.secretNames)
        text = body.map { Self.cut(SecretMembers.removed(from: $0, request.secretNames), sentBy: request) }
    }

    /// Returns the text of a typed problem without the secrets of the request and reply; nil if it is empty.
    static func text(of problem: any Sendable, in reply: Reply, request: CallRequest) -> String? {
        guard !ProblemText.isEmpty(problem) else { return nil }
        // A problem is decoded as JSON regardless of its media type.
        let others = SentSecrets.values(in: reply.body, MediaType("application/json"), request.secretNames)
        let text = SecretMembers.removed(from: ProblemText.text(of: problem), request.secretNames)
        return cut(text, sentBy: request, others: others)
    }

    /// Removes the request's secrets, which the server may have echoed, and truncates the text.
    private static func cut(_ text: String, sentBy request: CallRequest, others: [String] = []) -> String {
        let shown = Redaction.removing(SecretNameSet().hidingValues(of: request).hiding(others).longValues, from: text)
        let visible = shown.filter { $0 == "\n" || !$0.isNewline && !$0.unicodeScalars.contains { $0.value < 0x20 } }
        return visible.count > length ? visible.prefix(length) + "…" : visible
    }
}

/// Decoding of `text/*` bodies as strings (RFC 9110, section 8.3.2).
enum BodyText {
    /// Returns the body as text; nil if its content type is not text.
    ///
    /// - Throws: ``APIError/decoding(_:)`` if the declared character set is unknown or the bytes are not valid in it.
    static func text(of reply: Reply, _ plan: Call.Plan) throws(APIError) -> String? {
        // A custom decoder may handle text.
        guard plan.decoder is WaybillJSONDecoder || plan.decoder is JSONDecoder,
            let type = reply.headerFields[.contentType], MediaType(type).isText, !MediaType(type).isJSON
        else { return nil }
        let name = MediaType.charset(in: type) ?? "utf-8"
        if let text = encodings[name].flatMap({ String(data: reply.body, encoding: $0) }) { return text }
        let reason = encodings[name] == nil ? "its character set is unknown" : "its bytes are not \(name)"
        let error = UnreadableBody("the body is text, and \(reason); declare `Data` for the bytes")
        throw .decoding(reply.failure(error, decoding: "String", plan: plan))
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "iso-8859-1": .isoLatin1, "latin1": .isoLatin1,
        "windows-1252": .windowsCP1252, "utf-16": .utf16, "utf-16le": .utf16LittleEndian,
        "utf-16be": .utf16BigEndian,
    ]
}
