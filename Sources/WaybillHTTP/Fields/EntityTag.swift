/// A validator of a representation, as a server's `ETag` field has it (RFC 9110, section 8.8.3).
///
/// ```swift
/// let tag = EntityTag(#""33a64df5""#)     // strong
/// let weak = EntityTag(#"W/"33a64df5""#)
/// EntityTag("33a64df5")                    // nil: a tag stands in quotation marks
/// ```
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The text between the quotation marks.
    public let opaqueTag: String

    /// Whether equal tags mean equivalent representations only, not the same bytes.
    public let isWeak: Bool

    /// Parses a field value; nil unless it is exactly one entity tag.
    ///
    /// - Parameter fieldValue: the value of an `ETag` field: a text in quotation marks, after `W/` if the tag is weak.
    public init?(_ fieldValue: String) {
        let isWeak = fieldValue.utf8.starts(with: "W/".utf8)
        let quoted = fieldValue.utf8.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote,
            let opaque = String(quoted.dropFirst().dropLast())
        else { return nil }
        self.init(opaqueTag: opaque, isWeak: isWeak)
    }

    /// Creates a tag; nil if the text has a quotation mark, a space or a control character, which no tag may have.
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
    public static func == (left: EntityTag, right: EntityTag) -> Bool {
        left.isWeak == right.isWeak && left.matchesWeakly(right)
    }

    /// Hashes the compared parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(BytewiseString(opaqueTag))
        hasher.combine(isWeak)
    }

    /// Compares two tags for byte ranges and updates (RFC 9110, section 8.8.3.2).
    ///
    /// - Parameter other: the other tag.
    /// - Returns: whether both tags are strong and equal.
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(other)
    }

    /// Compares two tags for caches (RFC 9110, section 8.8.3.2).
    ///
    /// - Parameter other: the other tag.
    /// - Returns: whether both tags are equal, weak or not.
    public func matchesWeakly(_ other: EntityTag) -> Bool { opaqueTag.hasSameBytes(as: other.opaqueTag) }

    /// The tag as a field value.
    public var description: String { (isWeak ? "W/" : "") + "\"\(opaqueTag)\"" }

    /// The two ways in which tags are compared (RFC 9110, section 8.8.3.2).
    public enum Comparison: Sendable, Hashable {
        /// Equal tags match if both are strong.
        case strong
        /// Equal tags match, weak or not.
        case weak
    }

    /// A condition on any tag: that a representation exists.
    public enum Wildcard: Sendable {
        /// `*`.
        case any
    }
}

extension HTTPFields {
    /// The entity tag of the `ETag` field; nil if the field is missing or malformed.
    package var entityTag: EntityTag? { self[.eTag].flatMap { EntityTag($0) } }
}
