/// The media type of a `Content-Type` field, without its parameters (RFC 9110, section 8.3.1).
package struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// The lowercased type and subtype, such as `application/json`.
    package let essence: String

    /// Parses a field value; parameters such as `charset` are ignored.
    package init(_ value: String) {
        essence = value.withBytes { bytes in
            let type = bytes.prefix { $0 != UInt8(ascii: ";") }
            let isPlain = type.allSatisfy { $0 > 0x20 && $0.asciiLowercased == $0 }
            if isPlain { return type.count == bytes.count ? value : String(decoding: type, as: UTF8.self) }
            return String(decoding: type.filter { $0 != 0x20 && $0 != 0x09 }.map(\.asciiLowercased), as: UTF8.self)
        }
    }

    /// `application/x-www-form-urlencoded` (WHATWG URL, section 5).
    package static let form = MediaType("application/x-www-form-urlencoded")

    /// Whether the content is JSON: `application/json`, `text/json` or a type with the `+json` suffix (RFC 6839).
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether the content is text, such as `text/plain` or `text/csv`.
    package var isText: Bool { essence.hasPrefix("text/") }

    /// Returns the lowercased `charset` parameter of a field value; nil if it is missing.
    package static func charset(in value: String) -> String? {
        for parameter in value.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
            if parts.count == 2, parts[0].asciiLowercased == "charset" { return parts[1].asciiLowercased }
        }
        return nil
    }

    package var description: String { essence }
}
