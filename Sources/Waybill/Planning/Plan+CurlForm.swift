import WaybillJSON
import WaybillSystem

extension Plan {
    /// Returns the parts of a form as options of curl; nil if curl could not send one of them.
    func formOptions(_ form: MultipartForm, revealingSecrets: Bool) -> [String]? {
        // For curl a name ends at the first equals sign, and it does not escape a backslash.
        let isSendable = form.parts.allSatisfy { part in
            !part.name.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\\") }
                && !(part.fileName ?? "").utf8.contains(UInt8(ascii: "\\"))
        }
        guard isSendable else { return nil }
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

    /// Returns the file that curl reads the content from: the part's own, or one to be made.
    private func source(of part: EncodedPart) -> String {
        guard let fileName = part.fileName else { return "<body" }
        let path = part.file?.path ?? (fileName.isEmpty ? "body" : fileName)
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return "@\(Self.word(path))" + (last == fileName ? "" : ";filename=\(Self.word(fileName))")
    }

    /// Returns the content as a text without secrets; nil if it is not text, or cannot be looked through for secrets.
    private func shownText(of part: EncodedPart, _ revealingSecrets: Bool) -> String? {
        guard let bytes = part.content.bytes, let text = String(data: bytes, encoding: .utf8), !text.contains("\0")
        else { return nil }
        if revealingSecrets { return text }
        if secretNames.contains(part.name) { return Redaction.mark }
        guard part.contentType.map({ MediaType($0).isJSON }) ?? false || JSONText.isContainer(bytes) else {
            return Redaction.removing(secretNames.longValues, from: text)
        }
        return shownJSON(text, bytes)
    }

    /// Returns a text in the form in which a semicolon does not end it, nor an `@` stand for a file.
    private static func word(_ text: String) -> String {
        "\"" + text.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "\"", with: "\\\"") + "\""
    }
}
