import WaybillJSON
import WaybillSystem

/// Reads the body of a `text/*` response as the string that it is (RFC 9110, section 8.3.2).
enum BodyText {
    /// Decodes the body as text; nil if the response declares another content type.
    ///
    /// - Throws: ``APIError/decoding(_:)`` for bytes that are not of the declared character set, and for a set that is
    ///   not known.
    static func text(of reply: Reply, _ plan: Plan) throws(APIError) -> String? {
        // Another decoder than that of JSON may be one for text.
        guard plan.decoder is WaybillJSONDecoder || plan.decoder is JSONDecoder,
            let type = reply.headerFields[.contentType], MediaType(type).isText, !MediaType(type).isJSON
        else { return nil }
        let name = MediaType.charset(in: type) ?? "utf-8"
        guard let encoding = encodings[name] else {
            throw .decoding(
                reply.failure(UnreadableText("its character set is not known"), decoding: "String", plan: plan)
            )
        }
        guard let text = String(data: reply.body, encoding: encoding) else {
            throw .decoding(reply.failure(UnreadableText("its bytes are not \(name)"), decoding: "String", plan: plan))
        }
        return text
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "iso-8859-1": .isoLatin1, "latin1": .isoLatin1,
        "windows-1252": .windowsCP1252, "utf-16": .utf16, "utf-16le": .utf16LittleEndian,
        "utf-16be": .utf16BigEndian,
    ]
}

/// The reason for which a text cannot be read.
private struct UnreadableText: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = "the body is text, and \(reason); declare `Data` for the bytes" }
}
