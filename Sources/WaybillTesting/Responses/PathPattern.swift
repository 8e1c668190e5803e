import Foundation

/// A path template for matching concrete paths, such as `products/{}/reviews` or `files/{}.json`.
///
/// A `{}` matches one or more characters, but never a slash. A segment `{+}` matches one or more segments. One leading
/// slash of the template and of the path is ignored; a trailing slash adds an empty segment. Literals are compared
/// after percent-decoding. A UUID that fills a whole segment matches case-insensitively.
struct PathPattern: Sendable, Hashable {
    /// A segment: the literals around its `{}`, or a single literal if it has none.
    struct Segment: Sendable, Hashable {
        var literals: [String]

        var isLiteral: Bool { literals.count == 1 && !isMany }

        /// Whether the segment is `{+}`, which matches one or more segments of a path.
        var isMany = false
    }

    let segments: [Segment]

    /// Parses a template.
    ///
    /// - Parameter template: the text.
    /// - Throws: ``Malformed`` if the text is not a path template.
    init(_ template: some StringProtocol) throws(Malformed) {
        if let stranger = template.unicodeScalars.first(where: { $0 == "?" || $0 == "#" || $0.value <= 0x20 }) {
            throw Malformed(
                reason: "it has \(String(stranger).debugDescription), but a key matches only the path: "
                    + "check the query in a closure, `.response { request in … }`"
            )
        }
        var segments: [Segment] = []
        for text in Self.split(template) {
            if text == "{+}" {
                segments.append(Segment(literals: [], isMany: true))
                continue
            }
            let literals = text.components(separatedBy: "{}")
            guard !literals.contains(where: { $0.contains("{") || $0.contains("}") }) else {
                throw Malformed(
                    reason: "write a value as `{}`, without a name, and several segments as a segment `{+}`"
                )
            }
            guard !literals.dropFirst().dropLast().contains("") else {
                throw Malformed(reason: "it contains `{}{}`: separate the values with a literal")
            }
            let decoded = literals.map(Self.decoded)
            segments.append(Segment(literals: decoded.count == 1 ? decoded.map(UUID.normalized) : decoded))
        }
        self.segments = segments
    }

    /// Returns the percent-decoded value of each placeholder, or nil if the path does not match.
    ///
    /// If a segment has several `{}`, each but the last matches as few characters as possible.
    func values(in path: [String]) -> [String]? {
        Self.values(of: segments[...], in: path[...])
    }

    /// Whether the template has a `{+}`.
    var hasMany: Bool { segments.contains(where: \.isMany) }

    private static func values(of segments: ArraySlice<Segment>, in path: ArraySlice<String>) -> [String]? {
        guard path.count >= segments.count else { return nil }
        guard let first = segments.first, let text = path.first else { return path.isEmpty ? [] : nil }
        if first.isMany {
            // A value never includes an empty segment, such as the one after a trailing slash.
            for count in 1...(path.count - segments.count + 1) where !path.prefix(count).contains("") {
                if let rest = values(of: segments.dropFirst(), in: path.dropFirst(count)) {
                    return [path.prefix(count).joined(separator: "/")] + rest
                }
            }
            return nil
        }
        var found: [String] = []
        guard first.match(text, into: &found) else { return nil }
        return values(of: segments.dropFirst(), in: path.dropFirst()).map { found + $0 }
    }

    /// Returns the percent-decoded segments of a path, ignoring one leading slash.
    static func segments(of path: some StringProtocol) -> [String] { split(path).map(decoded) }

    private static func split(_ path: some StringProtocol) -> [String] {
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : String(path)
        return relative.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    private static func decoded(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding ?? text : text
    }
}

extension PathPattern {
    /// The error for text that is not a valid template.
    struct Malformed: Error, Hashable {
        let reason: String
    }

    /// Returns whether this template takes precedence over another.
    ///
    /// The first differing segment decides. A literal precedes a `{}`, which precedes a `{+}`. Then the segment with
    /// more literal bytes wins, then the one with the longer literal before its first `{}`.
    func precedes(_ other: PathPattern) -> Bool {
        for (left, right) in zip(segments, other.segments) where left != right {
            let (a, b) = (left.rank, right.rank)
            return a == b ? left.literals.lexicographicallyPrecedes(right.literals) : a > b
        }
        return segments.count < other.segments.count
    }
}

extension PathPattern.Segment {
    fileprivate var rank: (Int, Int, Int) {
        (isLiteral ? 1 : isMany ? -1 : 0, literals.reduce(0) { $0 + $1.utf8.count }, literals.first?.utf8.count ?? 0)
    }

    fileprivate func match(_ text: String, into values: inout [String]) -> Bool {
        guard let first = literals.first, let last = literals.last else { return false }
        if isLiteral { return text == first || UUID.normalized(text) == first }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for literal in literals.dropFirst().dropLast() {
            guard let range = rest.dropFirst().range(of: literal) else { return false }
            values.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        guard rest.hasSuffix(last), rest.count > last.count else { return false }
        values.append(String(rest.dropLast(last.count)))
        return true
    }
}
