/// Header or trailer fields in order, with duplicates and capitalization preserved (RFC 9110, section 5).
///
/// ```swift
/// var fields = HTTPFields()
/// fields[.accept] = "application/json"
/// fields[values: .link]        // every value of that name, in order
/// ```
///
/// A lookup by name is O(*n*): for the few dozen fields of a message, a linear search is faster than hashing.
///
/// Descriptions redact sensitive fields; ``HTTPField/value`` and the subscripts return the actual values.
public struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
    private var fields: [HTTPField]

    /// Creates an empty collection.
    public init() { fields = [] }

    /// Creates a collection of fields.
    ///
    /// - Parameter fields: the fields, in the order in which they are sent; names can repeat.
    public init(_ fields: some Sequence<HTTPField>) { self.fields = Array(fields) }

    /// Creates a collection from an array literal.
    ///
    /// - Parameter elements: the fields, in the order in which they are sent.
    public init(arrayLiteral elements: HTTPField...) { fields = elements }

    /// Whether any field has a name that satisfies a condition.
    package func containsName(where condition: (HTTPField.Name) -> Bool) -> Bool {
        fields.contains { condition($0.name) }
    }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position past the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at the given position.
    ///
    /// - Parameter position: a valid index of the collection.
    /// - Returns: the field.
    public subscript(position: Int) -> HTTPField { fields[position] }

    /// Appends a field.
    ///
    /// - Parameter field: the field.
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    /// Appends fields.
    ///
    /// - Parameter other: the fields, in order.
    public mutating func append(contentsOf other: some Sequence<HTTPField>) { fields.append(contentsOf: other) }

    /// Removes all fields with the given name.
    ///
    /// - Parameter name: the name; if no field has it, nothing changes.
    public mutating func removeAll(named name: HTTPField.Name) {
        // `Array.removeAll(where:)` copies shared storage even if it removes nothing.
        if contains(name) { fields.removeAll { $0.name == name } }
    }

    /// Removes all fields that satisfy a condition.
    ///
    /// - Parameter shouldBeRemoved: returns whether to remove a field.
    public mutating func removeAll(where shouldBeRemoved: (HTTPField) -> Bool) {
        fields.removeAll(where: shouldBeRemoved)
    }

    /// Marks fields as sensitive if their names satisfy a condition.
    package mutating func markSensitive(where isSecret: (HTTPField.Name) -> Bool) {
        func needsMark(_ field: HTTPField) -> Bool { !field.isSensitive && isSecret(field.name) }
        // Search first: a loop that changes elements copies shared storage even if no field needs the mark.
        guard let first = fields.firstIndex(where: needsMark) else { return }
        for index in fields[first...].indices where needsMark(fields[index]) { fields[index].isSensitive = true }
    }

    /// Returns whether any field has the given name.
    ///
    /// - Parameter name: the name, compared case-insensitively.
    /// - Returns: true if at least one field has the name.
    public func contains(_ name: HTTPField.Name) -> Bool { fields.contains { $0.name == name } }

    /// The value of the fields with the given name, joined by commas if there are several (RFC 9110, section 5.3).
    ///
    /// Setting a value replaces all fields with that name by a single field, with the position and the sensitivity of
    /// the first one; setting nil removes them. Invalid characters are replaced as in
    /// ``HTTPField/init(name:value:isSensitive:)``.
    ///
    /// - Parameter name: the name, compared case-insensitively.
    /// - Returns: the value; nil if no field has the name.
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
            var field = HTTPField(name: name, value: newValue)
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return append(field) }
            field.isSensitive = fields[first].isSensitive
            fields[first] = field
            fields = fields[...first] + fields[(first + 1)...].filter { $0.name != name }
        }
    }

    /// Whether a field's value has the same bytes in both collections, or is missing from both.
    package func hasSameValue(as other: HTTPFields, of name: HTTPField.Name) -> Bool {
        self[name].map(BytewiseString.init) == other[name].map(BytewiseString.init)
    }

    /// The value of the fields with the given name; nil if there is no such field or the name is invalid.
    ///
    /// Setting a value works as in the subscript for an ``HTTPField/Name``, but does nothing if the text is not a token
    /// (RFC 9110, section 5.6.2).
    ///
    /// ```swift
    /// request.headerFields["X-One"] = "1"
    /// ```
    ///
    /// - Parameter name: the name, compared case-insensitively.
    /// - Returns: the value, joined by commas if there are several.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            guard let fieldName = HTTPField.Name(name) else { return }
            self[fieldName] = newValue
        }
    }

    /// The values of all fields with the given name, in order and not joined, which is necessary for `Set-Cookie`.
    ///
    /// - Parameter name: the name, compared case-insensitively.
    /// - Returns: the values; empty if no field has the name.
    public subscript(values name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// One line per field, with sensitive values redacted.
    public var description: String { lines.joined(separator: "\n") }

    /// The fields, with sensitive values redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: lines, displayStyle: .collection) }

    private var lines: [String] { map(\.description) }
}

extension Redaction {
    /// Returns the value of a field with secrets redacted.
    package static func value(of field: HTTPField, secretNames: SecretNameSet) -> String {
        guard field.isSensitive || secretNames.contains(field.name) else {
            return mayContainURL(field)
                ? url(text: field.value, secretNames: secretNames, isRedirect: field.name == .location)
                : removing(secretNames.longValues, from: field.value)
        }
        // The authentication scheme shows the kind of credential without revealing it.
        if field.name == .authorization, let space = field.value.firstIndex(of: " ") {
            return field.value[...space] + mark
        }
        return mark
    }

    /// Returns the fields with secret values redacted.
    package static func fields(_ fields: HTTPFields, secretNames: SecretNameSet) -> HTTPFields {
        HTTPFields(fields.map { HTTPField(name: $0.name, value: value(of: $0, secretNames: secretNames)) })
    }

    /// Whether a field may contain a URL, whose query may contain secrets.
    package static func mayContainURL(_ field: HTTPField) -> Bool {
        let name = field.name
        return name == .location || name == .contentLocation || name == .link || name.canonicalName == "referer"
            || name.canonicalName == "refresh" || field.value.firstRange(ofBytes: "://") != nil
    }
}

extension SecretNameSet {
    /// Whether the set contains the name of a field.
    package func contains(_ name: HTTPField.Name) -> Bool { contains(name.canonicalName) }
}
