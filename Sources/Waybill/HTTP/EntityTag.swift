/// The version of an entity, as a server's `ETag` field names it (RFC 9110, section 8.8.3).
///
/// ```swift
/// let tag = EntityTag(#""33a64df5""#)     // strong
/// let weak = EntityTag(#"W/"33a64df5""#)
/// EntityTag("33a64df5")                    // nil: a tag stands in quotation marks
/// ```
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// What stands between the quotation marks.
    public let opaqueTag: String

    /// Whether equal tags only say that two versions are as good as each other, not that they are the same byte for byte.
    public let isWeak: Bool

    /// Reads the value of a field; nil for a text that is no entity tag, or more than one.
    public init?(_ fieldValue: String) {
        let isWeak = fieldValue.utf8.starts(with: "W/".utf8)
        let quoted = fieldValue.utf8.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote,
            let opaque = String(quoted.dropFirst().dropLast())
        else { return nil }
        self.init(opaqueTag: opaque, isWeak: isWeak)
    }

    /// A tag of a text; nil where that has a quotation mark, a space or a control character in it, which no tag may have.
    public init?(opaqueTag: String, isWeak: Bool = false) {
        guard opaqueTag.utf8.allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }) else { return nil }
        self.opaqueTag = opaqueTag
        self.isWeak = isWeak
    }

    /// Compares the kind and the bytes of the tags.
    public static func == (left: EntityTag, right: EntityTag) -> Bool {
        left.isWeak == right.isWeak && left.matchesWeakly(right)
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(BytewiseString(opaqueTag))
        hasher.combine(isWeak)
    }

    /// Whether both name the same bytes: both are strong, and equal (RFC 9110, section 8.8.3.2).
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(other)
    }

    /// Whether both name versions that are as good as each other, weak or not (RFC 9110, section 8.8.3.2).
    public func matchesWeakly(_ other: EntityTag) -> Bool { opaqueTag.hasSameBytes(as: other.opaqueTag) }

    /// The tag as a field has it.
    public var description: String { (isWeak ? "W/" : "") + "\"\(opaqueTag)\"" }

    /// What stands for any tag in a condition: whatever there is.
    public enum Wildcard: Sendable {
        /// `*`.
        case any
    }
}

extension HTTPFields {
    /// The entity tag of the `ETag` field; nil where there is none, or none that RFC 9110 allows.
    package var entityTag: EntityTag? { self[.eTag].flatMap { EntityTag($0) } }
}
