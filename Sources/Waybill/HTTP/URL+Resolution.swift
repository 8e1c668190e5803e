import Foundation

extension URL {
    /// A reference resolved against a base (RFC 3986, section 5.2), without its fragment; nil where that is no URL of
    /// HTTP.
    ///
    /// Servers write characters into links that no URI may have, such as `[` in a query. They are encoded here, because
    /// Foundation would encode what is encoded already along with them.
    package static func resolved(_ reference: String, against base: URL) -> URL? {
        let text = reference.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0 != "#" }
        guard !text.isEmpty, let resolved = URL(string: encoded(String(text)), relativeTo: base)?.absoluteURL,
            let scheme = resolved.scheme?.asciiLowercased,
            // A socket of this machine is reached from itself alone.
            ["http", "https"].contains(scheme) || (scheme == "http+unix" && scheme == base.scheme?.asciiLowercased),
            Origin(resolved) != nil
        else { return nil }
        return resolved
    }

    /// The reference with everything encoded behind its authority that a URI may not have there; escapes stay.
    private static func encoded(_ reference: String) -> String {
        var head = ""
        var rest = Substring(reference)
        if let start = reference.range(of: "//"), !reference[..<start.lowerBound].contains(where: { "/?".contains($0) })
        {
            let end = reference[start.upperBound...].firstIndex { "/?".contains($0) } ?? reference.endIndex
            head = String(reference[..<end])
            rest = reference[end...]
        }
        let bytes = Array(rest.utf8)
        var tail: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && bytes.dropFirst(index + 1).prefix(2).filter(\.isHexadecimal).count == 2
            if isEscape || isAllowed(byte) {
                tail.append(byte)
            } else {
                tail += Array(PercentEncoding.encode(byte).utf8)
            }
        }
        return head + String(decoding: tail, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: "/"), UInt8(ascii: ":"),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "@"):
            true
        default: PercentEncoding.isUnreserved(byte)
        }
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
