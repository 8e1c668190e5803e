extension JSONPatch {
    /// A JSON Pointer (RFC 6901): the location of a value in a document, such as `/tags/0` or `/a~1b`; the empty string
    /// refers to the whole document.
    ///
    /// ```swift
    /// let place: JSONPatch.Pointer = "/tags/0"
    /// JSONPatch.Pointer(["a/b", "c~d"]).description        // /a~1b/c~0d
    /// ```
    public struct Pointer: Sendable, Hashable {
        /// The keys and array indices from the root to the value, unescaped.
        public var tokens: [String]

        /// Creates a pointer from keys and array indices.
        ///
        /// - Parameter tokens: the keys and indices from the root, unescaped; empty for the whole document.
        public init(_ tokens: [String] = []) { self.tokens = tokens }

        /// Creates a pointer from its text; nil if the text does not begin with `/`, or contains a `~` that is not
        /// followed by `0` or `1`.
        ///
        /// - Parameter text: the text, with `~0` for `~` and `~1` for `/` within tokens; empty for the whole document.
        public init?(_ text: String) {
            tokens = []
            // Splits by bytes: a slash followed by a combining mark is a single `Character`, but still a separator.
            var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
            guard let first = parts.popFirst(), first.isEmpty else { return nil }
            for part in parts {
                guard let token = Self.token(part) else { return nil }
                tokens.append(token)
            }
        }

        /// Returns the pointer to a child of the value.
        func appending(_ token: String) -> JSONPatch.Pointer { JSONPatch.Pointer(tokens + [token]) }

        /// Whether another pointer refers to a descendant of this one's value.
        func contains(_ other: JSONPatch.Pointer) -> Bool {
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
}

extension JSONPatch.Pointer: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text of the pointer, with `~` and `/` escaped within tokens.
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

    /// Creates a pointer from its text.
    ///
    /// - Parameter text: the text; an invalid pointer is used as the key of a root member.
    public init(stringLiteral text: String) { self = JSONPatch.Pointer(text) ?? JSONPatch.Pointer([text]) }
}

extension JSONPatch.Pointer: Codable {
    /// Decodes a pointer from its text.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the value is not a string that contains a JSON Pointer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let pointer = JSONPatch.Pointer(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(text.debugDescription) is not a JSON Pointer, such as /tags/0 (RFC 6901)."
            )
        }
        self = pointer
    }

    /// Encodes the text of the pointer.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error thrown by the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
