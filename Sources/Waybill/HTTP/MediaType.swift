/// The media type of a `Content-Type` field, without its parameters (RFC 9110, section 8.3.1).
package struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// The type and the subtype in lower case: `application/json`.
    package let essence: String

    /// Reads a field value; parameters such as `charset` are passed over.
    package init(_ value: String) {
        let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
        essence = String(decoding: type, as: UTF8.self).asciiLowercased
    }

    /// Whether the content is JSON: `application/json`, `text/json` or a type with the `+json` suffix (RFC 6839).
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    package var description: String { essence }
}
