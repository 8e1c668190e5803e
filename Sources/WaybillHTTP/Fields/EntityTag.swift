extension HTTPField {
    /// An entity tag: a validator of a representation, sent in the `ETag` field (RFC 9110, section 8.8.3).
    ///
    /// ```swift
    /// let tag = HTTPField.EntityTag(#""33a64df5""#)     // strong
    /// let weak = HTTPField.EntityTag(#"W/"33a64df5""#)
    /// HTTPField.EntityTag("33a64df5")                    // nil: the quotation marks are missing
    /// ```
    public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
        /// The text between the quotation marks.
        public let opaqueTag: String

        /// Whether the tag is weak: representations with equal weak tags are equivalent but not necessarily identical.
        public let isWeak: Bool

        /// Parses a field value; returns nil unless it is exactly one entity tag.
        ///
        /// - Parameter fieldValue: the value of an `ETag` field: text in quotation marks, prefixed with `W/` for a weak
        ///   tag.
        public init?(_ fieldValue: String) {
            let isWeak = fieldValue.utf8.starts(with: "W/".utf8)
            let quoted = fieldValue.utf8.dropFirst(isWeak ? 2 : 0)
            let quote = UInt8(ascii: "\"")
            guard quoted.count >= 2, quoted.first == quote, quoted.last == quote,
                let opaque = String(quoted.dropFirst().dropLast())
            else { return nil }
            self.init(opaqueTag: opaque, isWeak: isWeak)
        }

        /// Creates a tag; returns nil if the text contains a quotation mark, a space or a control character.
        ///
        /// - Parameters:
        ///   - opaqueTag: the text between the quotation marks.
        ///   - isWeak: whether the tag is weak.
        public init?(opaqueTag: String, isWeak: Bool = false) {
            guard opaqueTag.utf8.allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }) else { return nil }
            self.opaqueTag = opaqueTag
            self.isWeak = isWeak
        }

        /// Compares the strength and the bytes of the tags.
        ///
        /// - Parameters:
        ///   - left: a tag.
        ///   - right: the tag to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: HTTPField.EntityTag, right: HTTPField.EntityTag) -> Bool {
            left.isWeak == right.isWeak && left.matchesWeakly(right)
        }

        /// Hashes the values that `==` compares.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(BytewiseString(opaqueTag))
            hasher.combine(isWeak)
        }

        /// Returns whether the tags match by strong comparison, as required for ranges and updates (RFC 9110, section
        /// 8.8.3.2).
        ///
        /// - Parameter other: the other tag.
        /// - Returns: true if both tags are strong and equal.
        public func matchesStrongly(_ other: HTTPField.EntityTag) -> Bool {
            !isWeak && !other.isWeak && matchesWeakly(other)
        }

        /// Returns whether the tags match by weak comparison, as used for caches (RFC 9110, section 8.8.3.2).
        ///
        /// - Parameter other: the other tag.
        /// - Returns: true if the tags are equal, whether weak or strong.
        public func matchesWeakly(_ other: HTTPField.EntityTag) -> Bool { opaqueTag.hasSameBytes(as: other.opaqueTag) }

        /// The tag as a field value.
        public var description: String { (isWeak ? "W/" : "") + "\"\(opaqueTag)\"" }

        /// The two ways to compare entity tags (RFC 9110, section 8.8.3.2).
        public enum Comparison: Sendable, Hashable {
            /// Tags match if they are equal and both are strong.
            case strong
            /// Tags match if they are equal, whether weak or strong.
            case weak
        }

        /// A wildcard that matches any tag; as a condition, it requires only that a representation exists.
        public enum Wildcard: Sendable {
            /// The wildcard `*`.
            case any
        }
    }
}

extension HTTPFields {
    /// The entity tag of the `ETag` field; nil if the field is missing or malformed.
    package var entityTag: HTTPField.EntityTag? { self[.eTag].flatMap { HTTPField.EntityTag($0) } }
}
