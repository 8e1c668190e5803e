import WaybillSystem

/// The value of a `Content-Range` field (RFC 9110, section 14.4), in bytes.
enum ContentRange: Sendable, Hashable {
    /// The bytes of a part, and the length of the whole if the server knows it.
    case part(Range<Int>, complete: Int?)
    /// The length of the whole, of which nothing is sent.
    case unsatisfied(complete: Int)

    /// Parses a field value; nil for another unit, and for a range that contradicts itself.
    init?(_ value: String) {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed() }
        guard parts.count == 2 else { return nil }
        let complete = Self.number(parts[1])
        guard complete != nil || parts[1] == "*" else { return nil }
        if parts[0] == "*" {
            guard let complete else { return nil }
            self = .unsatisfied(complete: complete)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number(String($0)) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < complete ?? .max else {
            return nil
        }
        self = .part(first..<last + 1, complete: complete)
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
