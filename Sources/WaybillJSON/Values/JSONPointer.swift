/// The place of a value in a document (RFC 6901): `/tags/0`, `/a~1b`; the empty text is the whole document.
///
/// ```swift
/// let place: JSONPointer = "/tags/0"
/// JSONPointer(["a/b", "c~d"]).description        // /a~1b/c~0d
/// ```
public struct JSONPointer: Sendable, Hashable {
    /// The keys of objects and the indices of arrays, from the top; not escaped.
    public var tokens: [String]

    /// Creates a pointer from the keys and indices on the way.
    ///
    /// - Parameter tokens: the keys and indices, not escaped; none for the whole document.
    public init(_ tokens: [String] = []) { self.tokens = tokens }

    /// Creates a pointer from its text; nil if it does not begin with `/`, or has a `~` without `0` or `1` after it.
    ///
    /// - Parameter text: the text, with `~0` for `~` and `~1` for `/` in its tokens.
    public init?(_ text: String) {
        tokens = []
        // By bytes: a slash with a combining mark after it is one `Character`, and still a slash.
        var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst(), first.isEmpty else { return nil }
        for part in parts {
            guard let token = Self.token(part) else { return nil }
            tokens.append(token)
        }
    }

    /// Returns the pointer to a value below.
    func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

    /// Whether the place of another pointer is within this one's value.
    func contains(_ other: JSONPointer) -> Bool {
        other.tokens.count > tokens.count && zip(tokens, other.tokens).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    private static func token(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var isEscape = false
        for byte in part {
            switch (isEscape, byte) {
            case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
            case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
            case (true, _): return nil
            case (false, UInt8(ascii: "~")): break
            case (false, _): bytes.append(byte)
            }
            isEscape = !isEscape && byte == UInt8(ascii: "~")
        }
        return isEscape ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text of the pointer, with `~` and `/` in its tokens escaped.
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "0")]
                case UInt8(ascii: "/"): bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Creates a pointer from its text; a literal that is no pointer is the key of one member.
    public init(stringLiteral text: String) { self = JSONPointer(text) ?? JSONPointer([text]) }
}

extension JSONPointer: Codable {
    /// Decodes the text of a pointer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let pointer = JSONPointer(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(text.debugDescription) is not a JSON Pointer, such as /tags/0 (RFC 6901)."
            )
        }
        self = pointer
    }

    /// Encodes the text of the pointer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
