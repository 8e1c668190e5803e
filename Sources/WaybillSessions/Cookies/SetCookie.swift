import Waybill
import WaybillSystem

/// The contents of a `Set-Cookie` field, parsed according to RFC 6265bis, section 5.6.
struct SetCookie {
    /// The maximum sizes of the name and value together, and of an attribute value, in bytes.
    static let (mostBytes, mostAttributeBytes) = (4096, 1024)

    private(set) var name: String
    private(set) var value: String

    /// The last valid `Expires` date.
    private(set) var expires: Date?

    /// The last valid `Max-Age`, in seconds; zero to delete the cookie.
    private(set) var maxAge: Int?

    /// The last `Domain`, lowercased and without a leading dot; empty if the field has no such attribute.
    private(set) var domain = ""

    /// The last `Path`; nil to use the default path of the URL.
    private(set) var path: String?

    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite: CookieJar.Cookie.SameSite?

    /// Parses the value of a `Set-Cookie` field.
    init(_ text: String) throws(CookieJar.Rejection.Reason) {
        // The text is split only at ASCII characters, so all parts remain valid UTF-8.
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = parts.first ?? text[...].utf8
        if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
            name = Self.trimmed(pair[..<equals])
            value = Self.trimmed(pair[equals...].dropFirst())
        } else {
            name = ""
            value = Self.trimmed(pair)
        }
        guard text.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else { throw .controlCharacter }
        guard name.utf8.count + value.utf8.count <= Self.mostBytes else { throw .tooLong }
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        for attribute in parts.dropFirst() { read(attribute) }
    }

    private mutating func read(_ attribute: Substring.UTF8View) {
        let equals = attribute.firstIndex(of: UInt8(ascii: "=")) ?? attribute.endIndex
        let name = Self.trimmed(attribute[..<equals]).asciiLowercased
        let value = Self.trimmed(attribute[equals...].dropFirst())
        guard value.utf8.count <= Self.mostAttributeBytes else { return }
        switch name {
        case "expires": expires = CookieDate.date(from: value) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain":
            domain = (value.utf8.first == UInt8(ascii: ".") ? String(value.dropFirst()) : value).asciiLowercased
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = CookieJar.Cookie.SameSite(rawValue: value.asciiLowercased)
        default: break
        }
    }

    /// Parses a `Max-Age` in seconds, limited to `0...Int.max`; returns nil for invalid text.
    private static func seconds(_ text: String) -> Int? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return isNegative ? 0 : Int(digits) ?? .max
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String { HTTPField.trimmed(String(Substring(bytes))) }
}
