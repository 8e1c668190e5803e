/// Header or trailer fields in the order in which they were added, duplicates and spelling kept (RFC 9110, section 5).
///
/// ```swift
/// var fields = HTTPFields()
/// fields[.accept] = "application/json"
/// fields[values: .link]        // every value of that name, in order
/// ```
///
/// Looking a name up walks the fields: O(n), which for the few dozen fields of a message beats hashing.
///
/// The fields of a request or a response know what its call declares as secret: printed, all of them or a single one,
/// they leave it out. ``HTTPField/value`` and the subscripts give the values themselves.
public struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
    /// A field without what it knows of secrets: an array of these is a quarter smaller.
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

    /// The secrets of the message that the fields belong to, or of the one that the first of them has come from.
    package private(set) var secrets: (any CallSecrets)?

    /// Creates a collection without fields.
    public init() { fields = [] }

    /// Creates a collection of these fields, in this order.
    public init(_ fields: some Sequence<HTTPField>) {
        self.init()
        self.fields.reserveCapacity(fields.underestimatedCount)
        append(contentsOf: fields)
    }

    package init(_ fields: HTTPFields, secrets: (any CallSecrets)?) {
        self = fields
        self.secrets = secrets
    }

    /// Creates a collection of these fields, in this order; nil stands for a field that could not be constructed.
    public init(arrayLiteral elements: HTTPField?...) {
        self.init()
        fields.reserveCapacity(elements.count)
        for case let field? in elements { append(field) }
    }

    /// The fields with the secrets of their message, unless they have come from another one.
    func adopting(_ secrets: (any CallSecrets)?) -> HTTPFields {
        self.secrets == nil ? HTTPFields(self, secrets: secrets) : self
    }

    /// The fields without the secrets of their message, which it adds when they are read.
    func leaving(_ secrets: (any CallSecrets)?) -> HTTPFields {
        self.secrets === secrets ? HTTPFields(self, secrets: nil) : self
    }

    /// Whether the name of a field satisfies a condition.
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
        HTTPField(validName: fields[position].name, value: fields[position].value, secrets: secrets)
    }

    /// The fields without a reference to their call: to be kept when it is over.
    package var detached: HTTPFields { HTTPFields(self, secrets: nil) }

    /// Compares the fields, in their order.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool { left.fields == right.fields }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    /// Adds a field behind the others.
    public mutating func append(_ field: HTTPField) {
        fields.append(Line(field))
        if secrets == nil { secrets = field.secrets }
    }

    /// Adds fields behind the others.
    public mutating func append(contentsOf other: some Sequence<HTTPField>) {
        for field in other { append(field) }
    }

    /// Removes every field of a name.
    public mutating func removeAll(named name: HTTPField.Name) { fields.removeAll { $0.name == name } }

    /// Removes every field that satisfies a condition.
    public mutating func removeAll(where shouldBeRemoved: (HTTPField) -> Bool) {
        let secrets = secrets
        fields.removeAll { shouldBeRemoved(HTTPField(validName: $0.name, value: $0.value, secrets: secrets)) }
    }

    /// Whether there is a field of that name.
    public func contains(_ name: HTTPField.Name) -> Bool { fields.contains { $0.name == name } }

    /// The value of a name; several fields of that name are joined by a comma (RFC 9110, section 5.3).
    ///
    /// Setting replaces every field of that name by one, at the place of the first; nil removes them. A value that
    /// no field may have (see ``HTTPField/isValid(value:)``) changes nothing.
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

    /// Whether other fields have the same bytes as the value of a name, or both have none.
    package func hasSameValue(as other: HTTPFields, of name: HTTPField.Name) -> Bool {
        self[name].map(BytewiseString.init) == other[name].map(BytewiseString.init)
    }

    /// The value of a name given as text, or nil where there is none, or where the text is no name.
    public subscript(name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

    /// Every value of a name, in order, not joined: what `Set-Cookie` needs.
    public subscript(values name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// A line for each field, secrets redacted: credentials, cookies, and what the call declares as secret.
    public var description: String { lines.joined(separator: "\n") }

    /// The fields, secrets redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: lines, displayStyle: .collection) }

    private var lines: [String] {
        let hidden = secrets?.hidden ?? .usual
        return map { "\($0.name): \(Redaction.value(of: $0, secretNames: hidden))" }
    }
}
