#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The first line of a body of unknown form, for the text of an error.
package enum FirstLine {
    private static let length = 120

    /// Returns the first line that is not blank, or the title of an HTML page; nil for bytes that are not text.
    ///
    /// A line with one of the secret names is not returned either: it is unknown which of its words is the value.
    package static func text(of body: Data, _ media: MediaType?, secretNames: SecretNameSet) -> String? {
        if let title = title(of: body, media, secretNames: secretNames) { return title }
        guard let text = beginning(of: body) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmed() }
        return lines.first { !$0.isEmpty }.flatMap { shown($0, secretNames) }
    }

    /// Returns the title of an HTML page; nil for any other body.
    ///
    /// Nothing else of a successful response of unknown form is shown: it may be a token.
    package static func title(of body: Data, _ media: MediaType?, secretNames: SecretNameSet) -> String? {
        guard media?.essence.contains("html") == true, let page = beginning(of: body),
            let start = page.firstRange(ofBytes: "<title>", ignoringCase: true),
            let end = page[start.upperBound...].firstRange(ofBytes: "</title>", ignoringCase: true)
        else { return nil }
        let title = page[start.upperBound..<end.lowerBound].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return title.isEmpty ? nil : shown(title, secretNames)
    }

    private static func shown(_ line: String, _ secretNames: SecretNameSet) -> String? {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        guard !words.contains(where: { secretNames.contains(String($0)) }) else { return nil }
        return line.count > length ? line.prefix(length) + "…" : line
    }

    /// Returns the first characters of a body in UTF-8, without control characters; nil for any other body.
    private static func beginning(of body: Data) -> String? {
        let bytes = body.prefix(4000)
        // The last character may be cut off.
        let text = (0...3).lazy.compactMap { String(data: bytes.dropLast($0), encoding: .utf8) }.first
        guard let text else { return nil }
        let isText = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || "\t\n\r\u{0C}".unicodeScalars.contains($0) }
        return isText ? text : nil
    }
}
