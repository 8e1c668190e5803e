/// Percent-encoding (RFC 3986, section 2.1), which writes all characters except the unreserved ones as `%XX`.
package enum PercentEncoding {
    /// Encodes every byte of a text that is not unreserved (letters, digits, `-`, `.`, `_`, `~`).
    ///
    /// A character that represents a byte of a field value (see ``FieldText``) is encoded as that byte.
    package static func encode(_ text: String) -> String {
        if text.withBytes({ $0.allSatisfy(isUnreserved) }) { return text }
        return encode(text, keeping: isUnreserved)
    }

    /// Encodes the bytes of a text, except those that satisfy a condition.
    package static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count + 16)
        for byte in FieldText.bytes(of: text) {
            if isKept(byte) { encoded.append(byte) } else { appendEscape(of: byte, to: &encoded) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Appends the percent-encoded form of a text.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        if text.withBytes({ $0.allSatisfy(isUnreserved) }) { return bytes.append(contentsOf: text.utf8) }
        for byte in FieldText.bytes(of: text) {
            if isUnreserved(byte) { bytes.append(byte) } else { appendEscape(of: byte, to: &bytes) }
        }
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal(byte >> 4))
        bytes.append(hexadecimal(byte & 0x0F))
    }

    /// Decodes all `%XX` escapes in a text; returns nil if an escape is incomplete or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var decoded: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(byte)
            }
        }
        let text = String(decoding: decoded, as: UTF8.self)
        return text.utf8.elementsEqual(decoded) ? text : nil
    }

    /// Encodes one byte.
    static func encode(_ byte: UInt8) -> String {
        String(decoding: [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 0x0F)], as: UTF8.self)
    }

    /// Whether a byte is an unreserved character (RFC 3986, section 2.3).
    @inline(__always)
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x3F: unreservedBelow64 >> UInt64(byte) & 1 == 1
        case 0x40...0x7F: unreservedFrom64 >> UInt64(byte - 0x40) & 1 == 1
        default: false
        }
    }

    // One bit for each ASCII character: `-`, `.`, the digits; the letters, `_`, `~`.
    private static let unreservedBelow64: UInt64 = 0x03FF_6000_0000_0000
    private static let unreservedFrom64: UInt64 = 0x47FF_FFFE_87FF_FFFE

    /// Returns the value of a hexadecimal digit; nil for any other byte.
    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}

extension StringProtocol {
    /// The text with all `%XX` escapes decoded; unchanged if an escape is incomplete or the bytes are not UTF-8.
    package var percentDecoded: String { PercentEncoding.decode(self) ?? String(self) }
}

extension UInt8 {
    /// Whether the byte is an ASCII hexadecimal digit, in either case.
    package var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
