/// HTML escaping.
///
/// The text of a HAR comes from servers, which may try to inject markup, reorder text or hide characters.
enum HTMLText {
    /// Returns a text with its markup and invisible characters escaped, for an element's content or a quoted attribute.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F || isMarkup($0) }) else { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        var wasReturn = false
        for scalar in text.unicodeScalars {
            // A CRLF becomes a line break. A lone carriage return becomes visible, because it could overwrite a line.
            if wasReturn, scalar != "\n" { escaped += "␍" }
            wasReturn = scalar == "\r"
            if wasReturn { continue }
            if let replacement = replacement(for: scalar) {
                escaped += replacement
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return wasReturn ? escaped + "␍" : escaped
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": return "&amp;"
        case "<": return "&lt;"
        case ">": return "&gt;"
        case "\"": return "&quot;"
        case "'": return "&#39;"
        case "\n", "\t": return nil
        // Unicode control pictures.
        case "\0"..<" ": return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
        case "\u{7F}": return "␡"
        default: break
        }
        guard scalar.value >= 0x80, isInvisible(scalar) else { return nil }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "⟦U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)⟧"
    }

    /// Whether a character is invisible or changes the text direction, except for the joiners that emoji and scripts
    /// need.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}
