/// A percent-encoded path with its template and any problems found in it.
package struct ResolvedPath: Sendable, Hashable {
    /// The encoded path, without a leading slash.
    package private(set) var encoded = ""

    /// The path with `{}` in place of each value.
    package private(set) var template = ""

    /// The secret values in the path, both plain and percent-encoded.
    package private(set) var secrets: Set<String> = []

    /// The secret values, percent-encoded, in path order.
    package private(set) var orderedSecrets: [String] = []

    /// The problems, phrased to follow the path in an error text.
    package private(set) var problems: [String] = []

    // The state of the current segment: whether it contains a value, its length in bytes before encoding, and whether
    // all its bytes are dots.
    private var segmentHasValue = false
    private var segmentLength = 0
    private var segmentIsDots = true

    package init(_ path: Route.Path) {
        if case .literal(let text)? = path.pieces.first, let scheme = Self.scheme(of: text) {
            // The rest is omitted because it may contain a password or a signature. A URL needs no further checks.
            template = "\(scheme)://…"
            problems = [
                "this is a URL, not a path; write the part after the client's base URL, or declare a URL of the same"
                    + " origin with at:, as in GET(at: url)"
            ]
            return
        }
        for piece in path.pieces {
            switch piece {
            case .literal(let text): add(literal: text)
            case .value(let text, _): add(value: text)
            case .secret(let text, _):
                add(value: text)
                secrets.formUnion([text, PercentEncoding.encode(text)])
                orderedSecrets.append(PercentEncoding.encode(text))
            case .segments(let segments): add(segments: segments, isWholePath: path.pieces.count == 1)
            case .placeholder(let placeholder):
                problems.append(
                    placeholder == .id
                        ? "`\\(.id)` stands for an id, and this operation is called without one"
                        : "`\\(.resource)` stands for a resource's path, and this route is not a resource's"
                )
            }
        }
        endSegment(isLast: true)
    }

    /// Creates the path for a call to a URL, which is sent unchanged.
    init(url text: String) { (encoded, template) = (text, "{url}") }

    /// Returns the scheme if the text starts like an absolute URL; nil otherwise.
    private static func scheme(of text: String) -> Substring? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8),
            text[..<colon].utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "+") }),
            colon != text.startIndex
        else { return nil }
        return text[..<colon]
    }

    private mutating func add(literal text: String) {
        if encoded.isEmpty, template.isEmpty, text.utf8.first == UInt8(ascii: "/") {
            return add(literal: Substring(text.utf8.dropFirst()))
        }
        guard text.withBytes({ $0.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") } }) else {
            return add(literal: Substring(text))
        }
        // Fast path: most literals need no encoding and are appended whole.
        text.withBytes { bytes in
            for byte in bytes {
                if byte == UInt8(ascii: "/") { endSegment(isLast: false) } else { addToSegment(byte) }
            }
        }
        encoded += text
        template += text
    }

    private mutating func add(literal text: Substring) {
        var rest = text
        while let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
            add(part: rest[..<slash])
            endSegment(isLast: false)
            encoded += "/"
            template += "/"
            rest = rest[rest.utf8.index(after: slash)...]
        }
        add(part: rest)
    }

    private mutating func add(part: Substring) {
        if part.isEmpty { return }
        check(literal: part)
        encoded += PercentEncoding.encode(String(part), keeping: Self.isKept)
        template += part
        for byte in String(part).replacingEncodedDots.utf8 { addToSegment(byte) }
    }

    private mutating func addToSegment(_ byte: UInt8) {
        segmentLength += 1
        segmentIsDots = segmentIsDots && byte == UInt8(ascii: ".")
    }

    private mutating func addToSegment(value text: String) {
        text.withBytes { for byte in $0 { addToSegment(byte) } }
        segmentHasValue = true
    }

    private mutating func add(value text: String) {
        if text.isEmpty {
            problems.append("a value in the path is empty; a request without it would go to another resource")
        }
        encoded += PercentEncoding.encode(text)
        template += "{}"
        addToSegment(value: text)
    }

    private mutating func add(segments: [String], isWholePath: Bool) {
        if segments.isEmpty, !isWholePath {
            problems.append("the list of segments is empty; only a path of nothing else is the root")
            segmentHasValue = true
        }
        for (index, text) in segments.enumerated() {
            if text.isEmpty { problems.append("one of the segments is empty") }
            if index > 0 {
                endSegment(isLast: false)
                encoded += "/"
            }
            encoded += PercentEncoding.encode(text)
            addToSegment(value: text)
        }
        template += "{+}"
    }

    private mutating func endSegment(isLast: Bool) {
        if segmentIsDots, segmentLength == 1 || segmentLength == 2 {
            let text = segmentLength == 1 ? "." : ".."
            problems.append(
                "the segment \"\(text)\" would change the path; "
                    + (segmentHasValue
                        ? "such a value cannot be an id in a path" : "write the path to which the request goes")
            )
        }
        if segmentLength == 0, !segmentHasValue, !isLast {
            problems.append("the path contains two consecutive slashes; write one")
        }
        (segmentHasValue, segmentLength, segmentIsDots) = (false, 0, true)
    }

    private mutating func check(literal part: Substring) {
        var index = part.utf8.startIndex
        while index < part.utf8.endIndex {
            switch part.utf8[index] {
            case UInt8(ascii: "?"):
                return problems.append("a query does not belong in a path; declare it with Query(…)")
            case UInt8(ascii: "#"): return problems.append("a fragment is never sent; remove it")
            case UInt8(ascii: "%"):
                let digits = part.utf8[part.utf8.index(after: index)...].prefix(2)
                if digits.count < 2 || !digits.allSatisfy(\.isHexadecimalDigit) {
                    return problems.append(
                        "a % in a path starts an escape such as %20; write %25 for the character itself"
                    )
                }
            default: break
            }
            index = part.utf8.index(after: index)
        }
    }

    /// Whether a byte in a literal is left unencoded: a character allowed in a segment (RFC 3986, section 3.3), or the
    /// `%` of an escape.
    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "%"):
            true
        default: PercentEncoding.isUnreserved(byte)
        }
    }
}

extension String {
    /// The text with `%2e` and `%2E` replaced by dots, because URL parsers treat them as dots.
    fileprivate var replacingEncodedDots: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        return split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
            .split(separator: "%2E", omittingEmptySubsequences: false).joined(separator: ".")
    }
}
