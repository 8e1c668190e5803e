/// Percent-encoding of RFC 3986, section 2.1: everything but the unreserved characters is written as `%XX`.
package enum PercentEncoding {
    /// The text with every byte that is not unreserved (letters, digits, `-`, `.`, `_`, `~`) encoded.
    ///
    /// Text that needs nothing is returned as it is. Linear in the text's UTF-8 length.
    package static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        return encode(text, keeping: isUnreserved)
    }

    /// The text with every byte encoded that the condition does not keep.
    package static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexadecimal(byte >> 4))
                encoded.append(hexadecimal(byte & 0x0F))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// One byte, encoded.
    static func encode(_ byte: UInt8) -> String {
        String(decoding: [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 0x0F)], as: UTF8.self)
    }

    /// Whether a byte is an unreserved character (RFC 3986, section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}
