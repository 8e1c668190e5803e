import WaybillSystem

/// A one-line excerpt of a body in an unknown format, for error texts.
package enum OneLineExcerpt {
    /// The maximum length of a line or a title, in characters.
    private static let lineLength = 120

    /// Returns the title of an HTML page, the start of an XML document, or the first nonblank line of any other text;
    /// nil if the body is not text.
    ///
    /// A line that contains a secret name is not returned, because any of its words could be the secret.
    package static func text(of body: Data, _ media: MediaType?, secretNames: SecretNameSet) -> String? {
        if let title = title(of: body, media, secretNames: secretNames) { return title }
        guard let text = beginning(of: body) else { return nil }
        if isXML(text, media) { return xml(text, secretNames) }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmed() }
        return lines.first { !$0.isEmpty }.flatMap { excerpt(of: $0, secretNames) }
    }

    /// Whether a body is an HTML page, according to its media type or its first tag.
    package static func isHTML(_ body: Data, _ media: MediaType?) -> Bool {
        if media?.essence.contains("html") == true { return true }
        guard let page = beginning(of: body) else { return false }
        let start = withoutByteOrderMark(page).trimmed().prefix(14).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    /// Returns the title of an HTML page; nil for any other body.
    ///
    /// No other part of a successful response in an unknown format may be shown, because it could be a token.
    package static func title(of body: Data, _ media: MediaType?, secretNames: SecretNameSet) -> String? {
        guard isHTML(body, media), let page = beginning(of: body),
            let start = page.firstRange(ofBytes: "<title>", ignoringCase: true),
            let end = page[start.upperBound...].firstRange(ofBytes: "</title>", ignoringCase: true)
        else { return nil }
        let title = page[start.upperBound..<end.lowerBound].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return title.isEmpty ? nil : excerpt(of: title, secretNames)
    }

    /// Whether a body is XML, according to its media type or its XML declaration.
    private static func isXML(_ text: String, _ media: MediaType?) -> Bool {
        let essence = media?.essence ?? ""
        return essence.hasSuffix("/xml") || essence.hasSuffix("+xml")
            || withoutByteOrderMark(text).trimmed().hasPrefix("<?xml")
    }

    /// Returns the start of an XML document on one line; nil if there is nothing to show.
    ///
    /// The XML declaration, comments and the document type are skipped. The excerpt ends before the first tag with a
    /// secret name.
    private static func xml(_ text: String, _ secretNames: SecretNameSet) -> String? {
        var rest = withoutByteOrderMark(text)[...]
        let prolog = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let (_, end) = prolog.first(where: { rest.hasPrefix($0.0) }) else { break }
            guard let last = rest.firstRange(ofBytes: end) else { return nil }
            rest = rest[last.upperBound...]
        }
        var excerpt = ""
        let start = rest.startIndex
        for piece in rest.split(separator: "<", omittingEmptySubsequences: true) {
            guard self.excerpt(of: String(piece), secretNames) != nil else { break }
            excerpt += (piece.startIndex == start ? "" : "<") + piece
        }
        let words = excerpt.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return nil }
        return words.count > xmlLength ? words.prefix(xmlLength) + "…" : words
    }

    /// The maximum length of an XML excerpt, in characters.
    private static let xmlLength = 400

    private static func withoutByteOrderMark(_ text: String) -> String {
        text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    /// Returns the start of a line; nil if it contains a secret name.
    private static func excerpt(of line: String, _ secretNames: SecretNameSet) -> String? {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        guard !words.contains(where: { secretNames.contains(String($0)) }) else { return nil }
        return line.count > lineLength ? line.prefix(lineLength) + "…" : line
    }

    /// Returns the first characters of a UTF-8 body without control characters; nil for any other body.
    private static func beginning(of body: Data) -> String? {
        let bytes = body.prefix(4000)
        // The prefix may end inside a character.
        let text = (0...3).lazy.compactMap { String(data: bytes.dropLast($0), encoding: .utf8) }.first
        guard let text else { return nil }
        let isText = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || "\t\n\r\u{0C}".unicodeScalars.contains($0) }
        return isText ? text : nil
    }
}
