/// A lossless mapping between the bytes of a field value and text.
///
/// Field values are opaque bytes (RFC 9110, section 5.5): a validator, a cookie or a token must be sent back byte for
/// byte, regardless of its encoding. The bytes are decoded as UTF-8, and each byte that is not part of valid UTF-8 is
/// represented by one of the 128 private-use characters U+10FE80 to U+10FEFF. The bytes of such a character in a value
/// are also represented individually, so different bytes never map to the same text.
package enum FieldText {
    /// The offset from a byte to the scalar value that represents it.
    private static let base: UInt32 = 0x10FE00

    /// The first UTF-8 byte of all characters that represent bytes.
    private static let leadByte: UInt8 = 0xF4

    /// Returns the text of a field value.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        // Nearly all values are ASCII, and this check is cheaper than the comparison below.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        // Decoding replaces invalid bytes, so the bytes are equal only if all are valid.
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

    /// Returns the bytes of a field value from its text.
    package static func bytes(of text: String) -> [UInt8] {
        guard mayContainOpaqueBytes(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
        }
        return bytes
    }

    /// Whether a text contains characters that represent single bytes.
    package static func containsOpaqueBytes(_ text: String) -> Bool {
        mayContainOpaqueBytes(text) && text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    /// Returns a readable form of a text: its bytes decoded as ISO 8859-1 if they are not UTF-8, otherwise the text.
    package static func latin1(_ text: String) -> String {
        guard containsOpaqueBytes(text) else { return text }
        return String(String.UnicodeScalarView(bytes(of: text).map { Unicode.Scalar($0) }))
    }

    private static func mayContainOpaqueBytes(_ text: String) -> Bool { text.utf8.contains(leadByte) }

    /// Returns the byte that a character represents; nil for any other character.
    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }
}
