import Foundation

extension String {
    /// The text between the tags of an XML document, without the characters that XML 1.0 does not allow.
    package var xmlEscaped: String {
        let allowed = unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
            default: false
            }
        }
        return String(String.UnicodeScalarView(allowed))
            .replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
