import WaybillSystem

extension URL {
    /// Resolves a reference against a base (RFC 3986, section 5.2).
    ///
    /// Some servers send links with characters that are invalid in a URI, such as `[` in a query. They are encoded
    /// before Foundation parses the reference, because Foundation would also encode existing escapes.
    ///
    /// - Parameters:
    ///   - reference: the reference, absolute or relative.
    ///   - base: the URL to resolve against; its fragment is ignored.
    ///   - keepsFragment: whether to keep the reference's fragment, which is never part of a request.
    /// - Returns: the absolute URL; nil if the reference is empty or the result is not an HTTP URL.
    package static func resolved(_ reference: String, against base: URL, keepsFragment: Bool = false) -> URL? {
        let reference = reference.trimmed()
        guard !reference.isEmpty else { return nil }
        let text = reference.prefix { $0 != "#" }
        // A fragment alone refers to the base itself (RFC 3986, section 4.4).
        let target =
            text.isEmpty ? URL(string: String(base.textWithoutFragment)) : absolute(String(text), against: base)
        guard let target, keepsFragment, text.endIndex < reference.endIndex else { return target }
        return target.withFragment(encodedTail(reference[text.endIndex...].dropFirst()))
    }

    /// Returns the URL with changed query items and without its fragment.
    ///
    /// Empty items are preserved. If no items are left, the query is removed.
    ///
    /// - Parameter change: a closure that changes the items.
    /// - Returns: the URL; nil if the result is not a URL.
    package func changingQuery(_ change: (inout [EncodedItem]) -> Void) -> URL? {
        let text = textWithoutFragment
        let end = text.firstIndex(of: "?") ?? text.endIndex
        let query = text[end...].dropFirst()
        var items = query.isEmpty ? [] : EncodedItem.all(in: query, keepingEmpty: true)
        change(&items)
        return URL(string: text[..<end] + (items.isEmpty ? "" : "?" + items.encodedText))
    }

    /// Returns the URL with another fragment, which must be percent-encoded.
    package func withFragment(_ fragment: String) -> URL? { URL(string: "\(textWithoutFragment)#\(fragment)") }

    private static func absolute(_ text: String, against base: URL) -> URL? {
        guard let resolved = URL(string: encoded(text), relativeTo: base)?.absoluteURL,
            let scheme = resolved.scheme?.asciiLowercased,
            // Only a response from a Unix domain socket may refer to a socket.
            ["http", "https"].contains(scheme) || (scheme == "http+unix" && scheme == base.scheme?.asciiLowercased),
            HTTPRequest.Origin(resolved) != nil
        else { return nil }
        // Foundation does not remove dot segments from a reference with an authority (RFC 3986, section 5.2.2).
        return resolved.path(percentEncoded: true).contains("/.") ? resolved.standardized : resolved
    }

    /// Returns the reference with invalid characters after its authority encoded; existing escapes are preserved.
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
        return head + encodedTail(rest)
    }

    private static func encodedTail(_ text: Substring) -> String {
        // Bytes of a field that are not UTF-8 are encoded as they are.
        let bytes = FieldText.bytes(of: String(text))
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
        return String(decoding: tail, as: UTF8.self)
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

extension URL {
    /// The text of the URL without its fragment, which is never part of a request (RFC 9110, section 7.1).
    package var textWithoutFragment: Substring {
        let text = absoluteString
        return text[..<(text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)]
    }
}
