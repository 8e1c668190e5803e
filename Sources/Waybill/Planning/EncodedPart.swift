import WaybillSystem

/// An encoded part of a multipart form.
package struct EncodedPart: Sendable {
    /// The name, unescaped.
    package let name: String

    /// The file name; nil if the part has none.
    package let fileName: String?

    /// The media type; nil if the part has none.
    package let contentType: String?

    /// The content.
    package let content: HTTPBody

    /// The file that contains the content; nil if it does not come from a file.
    package let file: URL?

    /// Creates a part.
    ///
    /// - Throws: ``EncodedBody/Rejection`` if the part's head would be malformed.
    init(
        _ name: String,
        _ content: HTTPBody,
        fileName: String? = nil,
        contentType: String? = nil,
        file: URL? = nil
    ) throws {
        guard !name.isEmpty else { throw EncodedBody.Rejection("its name is empty; each part of a form has one") }
        for (text, what) in [(name, "name"), (fileName ?? "", "file name")]
        where text.utf8.contains(where: Self.isControl) {
            throw EncodedBody.Rejection("its \(what) has a control character; leave it out")
        }
        if let contentType, contentType.isEmpty || !HTTPField.isValid(value: contentType) {
            throw EncodedBody.Rejection(
                "its content type cannot be the value of a header field; give one such as image/png"
            )
        }
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
        self.file = file
    }

    /// Creates a part from a form item.
    init(_ item: QueryItem) throws { try self.init(item.name, text: (item.pieces ?? []).joined(separator: ",")) }

    /// Creates a part from text, normalizing its line breaks to CRLF.
    init(_ name: String, text: String, contentType: String? = nil) throws {
        try self.init(name, HTTPBody(Data(text.withFormLineBreaks.utf8)), contentType: contentType)
    }

    /// The name as sent (WHATWG HTML, "multipart/form-data encoding algorithm"), with each backslash doubled.
    ///
    /// The name is sent as a quoted string (RFC 7578, section 4.2; RFC 2045, section 5.1), in which a backslash escapes
    /// the next character. After a single backslash, some parsers, such as Python's, would read the closing quotation
    /// mark as part of the name.
    package var escapedName: String { name.withFormLineBreaks.escapedInForm }

    /// The part's header fields, including the empty line that ends them.
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(escapedName)\""
        if let fileName { head += "; filename=\"\(fileName.escapedInForm)\"" }
        if let contentType { head += "\r\nContent-Type: \(HTTPField.trimmed(contentType))" }
        return head + "\r\n\r\n"
    }

    /// The name, file name, length and media type, without any content.
    package var summary: String {
        let length = content.length.map { "\($0) bytes" } ?? "a stream"
        let type = contentType.map { " of \($0)" } ?? ""
        return "\(escapedName): \(fileName.map { "\($0.escapedInForm), " } ?? "")\(length)\(type)"
    }

    /// Whether a byte is a control character other than a tab, CR or LF.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte) || byte == 0x7F
    }
}

extension String {
    /// The text with each lone CR or LF replaced by CRLF.
    fileprivate var withFormLineBreaks: String {
        guard utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return self }
        var bytes: [UInt8] = []
        var last: UInt8?
        for byte in utf8 {
            if byte == 0x0A, last != 0x0D { bytes.append(0x0D) }
            if last == 0x0D, byte != 0x0A { bytes.append(0x0A) }
            bytes.append(byte)
            last = byte
        }
        if last == 0x0D { bytes.append(0x0A) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text, escaping line breaks, quotation marks and backslashes for use in a quoted string.
    fileprivate var escapedInForm: String {
        replacing(bytes: "\n", with: "%0A").replacing(bytes: "\r", with: "%0D").replacing(bytes: "\"", with: "%22")
            .replacing(bytes: "\\", with: "\\\\")
    }
}
