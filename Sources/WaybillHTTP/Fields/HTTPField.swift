/// A header or trailer field: a name and a value (RFC 9110, section 5).
///
/// A field whose value could break out of its line cannot be constructed.
///
/// ```swift
/// let field = HTTPField(name: .accept, value: "application/json")   // Optional
/// ```
public struct HTTPField: Sendable, Hashable {
    /// The name, compared without regard to case.
    public let name: Name

    /// The value without white space around it, secret or not.
    public let value: String

    /// The secrets of the message to which the field belongs.
    package var redaction: (any TextRedaction)?

    /// Creates a field; nil if the value has a character that no field value may have.
    ///
    /// White space around the value is not part of it (RFC 9110, section 5.5) and is removed. Control characters other
    /// than the tab are rejected; characters beyond ASCII are sent as UTF-8.
    public init?(name: Name, value: String) {
        guard Self.isValid(value: value) else { return nil }
        self.name = name
        self.value = Self.trimmed(value)
    }

    /// Creates a field with a value that is known to be valid.
    init(validName name: Name, value: String, redaction: (any TextRedaction)?) {
        self.name = name
        self.value = value
        self.redaction = redaction
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
    /// `Name: value`, with secrets redacted: credentials, cookies and the values that the call declares as secret.
    public var description: String { "\(name): \(shownValue)" }

    /// The name and the value, with secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
    }

    private var shownValue: String { Redaction.value(of: self, secretNames: redaction?.hidden ?? .usual) }
}
