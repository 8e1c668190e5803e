/// Header or trailer fields in the order in which they were added, duplicates and spelling kept (RFC 9110, section 5).
///
/// ```swift
/// var fields = HTTPFields()
/// fields[.accept] = "application/json"
/// fields[values: .link]        // every value of that name, in order
/// ```
///
/// A lookup by name walks the fields: O(n), which is faster than hashing for the few dozen fields of a message.
///
/// The fields of a request or a response know the secrets of its call: their descriptions leave these out, of all
/// fields and of a single one. ``HTTPField/value`` and the subscripts return the values themselves.
public struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
    /// A field without its reference to secrets: an array of these is a quarter smaller.
    private struct Line: Sendable, Hashable {
        let name: HTTPField.Name
        let value: String

        init(_ field: HTTPField) {
            name = field.name
            value = field.value
        }

        static func == (left: Line, right: Line) -> Bool {
            left.name == right.name && left.value.hasSameBytes(as: right.value)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(BytewiseString(value))
        }
    }

    private var fields: [Line]

    /// The secrets of the message to which the fields belong, or of the one from which the first field comes.
    package private(set) var redaction: (any TextRedaction)?

    /// Creates an empty collection.
    public init() { fields = [] }

    /// Creates a collection of these fields, in this order.
    public init(_ fields: some Sequence<HTTPField>) {
        self.init()
        self.fields.reserveCapacity(fields.underestimatedCount)
        append(contentsOf: fields)
    }

    package init(_ fields: HTTPFields, redaction: (any TextRedaction)?) {
        self = fields
        self.redaction = redaction
    }

    /// Creates a collection of these fields, in this order; nil elements, which could not be constructed, are left out.
    public init(arrayLiteral elements: HTTPField?...) {
        self.init()
        fields.reserveCapacity(elements.count)
        for case let field? in elements { append(field) }
    }

    /// Returns the fields with the secrets of their message, unless they come from another one.
    func adopting(_ redaction: (any TextRedaction)?) -> HTTPFields {
        self.redaction == nil ? HTTPFields(self, redaction: redaction) : self
    }

    /// Returns the fields without the secrets of their message, which it adds when they are read.
    func leaving(_ redaction: (any TextRedaction)?) -> HTTPFields {
        self.redaction === redaction ? HTTPFields(self, redaction: nil) : self
    }

    /// Whether a field has a name that satisfies a condition.
    package func containsName(where isWanted: (HTTPField.Name) -> Bool) -> Bool {
        for line in fields where isWanted(line.name) { return true }
        return false
    }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position past the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> HTTPField {
        HTTPField(validName: fields[position].name, value: fields[position].value, redaction: redaction)
    }

    /// The fields without a reference to their call, which may be kept after it.
    package var detached: HTTPFields { HTTPFields(self, redaction: nil) }

    /// Compares the fields, including their order.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool { left.fields == right.fields }

    /// Hashes the fields in their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    /// Adds a field at the end.
    public mutating func append(_ field: HTTPField) {
        fields.append(Line(field))
        if redaction == nil { redaction = field.redaction }
    }

    /// Adds fields at the end.
    public mutating func append(contentsOf other: some Sequence<HTTPField>) {
        for field in other { append(field) }
    }

    /// Removes every field with a name.
    public mutating func removeAll(named name: HTTPField.Name) { fields.removeAll { $0.name == name } }

    /// Removes every field that satisfies a condition.
    public mutating func removeAll(where shouldBeRemoved: (HTTPField) -> Bool) {
        let redaction = redaction
        fields.removeAll { shouldBeRemoved(HTTPField(validName: $0.name, value: $0.value, redaction: redaction)) }
    }

    /// Whether there is a field with a name.
    public func contains(_ name: HTTPField.Name) -> Bool { fields.contains { $0.name == name } }

    /// The value of a field; several fields with the name are joined by a comma (RFC 9110, section 5.3).
    ///
    /// Setting a value replaces every field with the name by one, at the position of the first; nil removes them. An
    /// invalid value (see ``HTTPField/isValid(value:)``) changes nothing.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            var joined = fields[first].value
            for field in fields[(first + 1)...] where field.name == name {
                joined += ", " + field.value
            }
            return joined
        }
        set {
            guard let newValue else { return removeAll(named: name) }
            guard let field = HTTPField(name: name, value: newValue) else { return }
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return append(field) }
            fields[first] = Line(field)
            fields = fields[...first] + fields[(first + 1)...].filter { $0.name != name }
        }
    }

    /// Whether the values of a field have the same bytes in both collections, or neither has the field.
    package func hasSameValue(as other: HTTPFields, of name: HTTPField.Name) -> Bool {
        self[name].map(BytewiseString.init) == other[name].map(BytewiseString.init)
    }

    /// The value of a field; nil if the field is missing, or the text is not a valid name.
    public subscript(name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

    /// The values of all fields with a name, in order and not joined, as `Set-Cookie` needs.
    public subscript(values name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// A line for each field, with secrets redacted: credentials, cookies and values that the call declares as secret.
    public var description: String { lines.joined(separator: "\n") }

    /// The fields, with secrets redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: lines, displayStyle: .collection) }

    private var lines: [String] {
        let hidden = redaction?.hidden ?? .usual
        return map { "\($0.name): \(Redaction.value(of: $0, secretNames: hidden))" }
    }
}
