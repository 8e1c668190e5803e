/// A header or trailer field: a name and a value (RFC 9110, section 5).
///
/// A field whose value could break out of its line cannot exist: such a value is made valid.
///
/// ```swift
/// let field = HTTPField(name: .accept, value: "application/json")
/// let proof = HTTPField(name: .ifMatch, value: text, isSensitive: true)     // printed as `If-Match: ‹redacted›`
/// ```
public struct HTTPField: Sendable, Hashable {
    /// The name, compared without regard to case.
    public let name: Name

    /// The value without white space around it, secret or not.
    public let value: String

    /// Whether texts redact the value; those of names that are usually secret are redacted in any case.
    ///
    /// Set for the fields that a declaration makes secret. It is not sent, and two fields that differ in it alone are
    /// equal.
    public var isSensitive: Bool

    /// Creates a field, with a value that is made valid.
    ///
    /// White space around the value is not part of it (RFC 9110, section 5.5) and is removed. A control character other
    /// than the tab becomes a space, as section 5.5 tells recipients; ``isValid(value:)`` says whether there is one.
    /// Characters beyond ASCII are sent as UTF-8.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    ///   - isSensitive: whether texts redact the value.
    public init(name: Name, value: String, isSensitive: Bool = false) {
        self.name = name
        self.value = Self.trimmed(Self.isValid(value: value) ? value : Self.printable(value))
        self.isSensitive = isSensitive
    }

    /// Compares the names without regard to case and the values by their bytes.
    public static func == (left: HTTPField, right: HTTPField) -> Bool {
        left.name == right.name && left.value.hasSameBytes(as: right.value)
    }

    /// Hashes the compared parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(BytewiseString(value))
    }

    /// Whether a text is a valid field value (RFC 9110, section 5.5).
    public static func isValid(value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    private static func printable(_ value: String) -> String {
        let isControl = { (byte: UInt8) in byte != 0x09 && (byte < 0x20 || byte == 0x7F) }
        return String(decoding: value.utf8.map { isControl($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    package static func trimmed(_ value: String) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = value.utf8.first, let last = value.utf8.last, isSpace(first) || isSpace(last) else {
            return value
        }
        let head = value.utf8.drop(while: isSpace)
        guard let end = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(head[...end]) ?? value
    }
}

extension HTTPField: CustomStringConvertible, CustomReflectable {
    /// `Name: value`, with the value redacted if it is sensitive, or the name usually secret: credentials, cookies.
    public var description: String { "\(name): \(shownValue)" }

    /// The name and the value, with secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
    }

    private var shownValue: String { Redaction.value(of: self, secretNames: .usual) }
}
