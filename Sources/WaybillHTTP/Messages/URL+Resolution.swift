#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension URL {
    /// Resolves a reference against a base (RFC 3986, section 5.2) and removes its fragment.
    ///
    /// Servers write characters into links that no URI may have, such as `[` in a query. They are encoded here, because
    /// Foundation would also encode existing escapes.
    ///
    /// - Parameters:
    ///   - reference: the reference, absolute or relative.
    ///   - base: the URL against which it is resolved.
    /// - Returns: the absolute URL; nil if it is not an HTTP URL.
    package static func resolved(_ reference: String, against base: URL) -> URL? {
        let text = reference.trimmed().prefix { $0 != "#" }
        guard !text.isEmpty, let resolved = URL(string: encoded(String(text)), relativeTo: base)?.absoluteURL,
            let scheme = resolved.scheme?.asciiLowercased,
            // Only a response from a socket of this machine may refer to one.
            ["http", "https"].contains(scheme) || (scheme == "http+unix" && scheme == base.scheme?.asciiLowercased),
            HTTPURL.Origin(resolved) != nil
        else { return nil }
        return resolved
    }

    /// Returns the reference with all characters after its authority encoded that a URI may not have; existing escapes
    /// stay.
    private static func encoded(_ reference: String) -> String {
        var head = ""
        var rest = Substring(reference)
        if let start = reference.firstRange(ofBytes: "//"),
            !reference[..<start.lowerBound].contains(where: { "/?".contains($0) })
        {
            let end = reference[start.upperBound...].firstIndex { "/?".contains($0) } ?? reference.endIndex
            head = String(reference[..<end])
            rest = reference[end...]
        }
        let bytes = Array(rest.utf8)
        var tail: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%")
                && bytes.dropFirst(index + 1).prefix(2).filter(\.isHexadecimalDigit).count == 2
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
