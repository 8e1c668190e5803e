/// The text of the bytes of a field value, which has all of them.
///
/// Field values are opaque bytes (RFC 9110, section 5.5): a validator, a cookie or a token has to be sent back byte for
/// byte, in any encoding. A text is UTF-8; a byte that is not part of valid UTF-8 is one of the 128 characters U+10FE80
/// to U+10FEFF, which are private and otherwise unused. Valid UTF-8 of one of these characters is four such bytes, so
/// that each sequence of bytes has a text of its own.
package enum FieldText {
    /// The character of byte 0, if it had one.
    private static let base: UInt32 = 0x10FE00

    /// The first byte of the UTF-8 of every character that stands for a byte.
    private static let leadByte: UInt8 = 0xF4

    /// Returns the text of a field value.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        // Nearly all fields are ASCII, for which the validation of the standard library would cost more.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        // Invalid bytes are replaced, so that only valid ones are the same again.
        let decoded = String(decoding: bytes, as: UTF8.self)
        if !bytes.contains(leadByte), decoded.utf8.elementsEqual(bytes) { return decoded }
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            var decoder = UTF8()
            var iterator = rest.makeIterator()
            let result = decoder.decode(&iterator)
            if case .scalarValue(let scalar) = result, byte(of: scalar) == nil {
                text.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else if let byte = rest.popFirst() {
                text.append(Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}")
            }
        }
        return String(text)
    }

    /// Returns the bytes that a text is sent as.
    package static func bytes(of text: String) -> [UInt8] {
        guard mayHaveBytes(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
        }
        return bytes
    }

    /// Whether a text has bytes that are not UTF-8.
    package static func hasOtherBytes(_ text: String) -> Bool {
        mayHaveBytes(text) && text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    /// Returns a text for people: that of ISO 8859-1, if the bytes are not UTF-8.
    package static func latin1(_ text: String) -> String {
        guard hasOtherBytes(text) else { return text }
        return String(String.UnicodeScalarView(bytes(of: text).map { Unicode.Scalar($0) }))
    }

    private static func mayHaveBytes(_ text: String) -> Bool { text.utf8.contains(leadByte) }

    /// Returns the byte that a character stands for; nil for any other character.
    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }
}
