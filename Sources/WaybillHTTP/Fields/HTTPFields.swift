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
/// The text of a field that is sensitive is redacted; ``HTTPField/value`` and the subscripts return the values
/// themselves.
public struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
    private var fields: [HTTPField]

    /// Creates an empty collection.
    public init() { fields = [] }

    /// Creates a collection of fields.
    ///
    /// - Parameter fields: the fields in the order in which they are sent; several may have one name.
    public init(_ fields: some Sequence<HTTPField>) { self.fields = Array(fields) }

    /// Creates a collection of these fields, in this order.
    public init(arrayLiteral elements: HTTPField...) { fields = elements }

    /// Whether a field has a name that satisfies a condition.
    package func containsName(where isWanted: (HTTPField.Name) -> Bool) -> Bool {
        fields.contains { isWanted($0.name) }
    }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position past the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> HTTPField { fields[position] }

    /// Adds a field at the end.
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    /// Adds fields at the end.
    public mutating func append(contentsOf other: some Sequence<HTTPField>) { fields.append(contentsOf: other) }

    /// Removes every field with a name.
    ///
    /// - Parameter name: the name; without a field of it, nothing changes.
    public mutating func removeAll(named name: HTTPField.Name) {
        // The array's own method copies a shared array even if it removes nothing.
        if contains(name) { fields.removeAll { $0.name == name } }
    }

    /// Removes every field that satisfies a condition.
    public mutating func removeAll(where shouldBeRemoved: (HTTPField) -> Bool) {
        fields.removeAll(where: shouldBeRemoved)
    }

    /// Makes the fields sensitive whose names satisfy a condition.
    package mutating func markSensitive(where isSecret: (HTTPField.Name) -> Bool) {
        func needsMark(_ field: HTTPField) -> Bool { !field.isSensitive && isSecret(field.name) }
        // Looked for first: a loop that changes elements copies a shared array at its start.
        guard let first = fields.firstIndex(where: needsMark) else { return }
        for index in fields[first...].indices where needsMark(fields[index]) { fields[index].isSensitive = true }
    }

    /// Whether there is a field with a name.
    public func contains(_ name: HTTPField.Name) -> Bool { fields.contains { $0.name == name } }

    /// The value of a field; several fields with the name are joined by a comma (RFC 9110, section 5.3).
    ///
    /// Setting a value replaces every field with the name by one, at the position of the first, which is sensitive if
    /// that was; nil removes them. A value that no field can have is made valid, as ``HTTPField`` says.
    ///
    /// - Parameter name: the name, compared without regard to case.
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

    /// Whether the values of a field have the same bytes in both collections, or neither has the field.
    package func hasSameValue(as other: HTTPFields, of name: HTTPField.Name) -> Bool {
        self[name].map(BytewiseString.init) == other[name].map(BytewiseString.init)
    }

    /// The value of a field by the text of its name; nil if the field is missing, or the text is not a valid name.
    ///
    /// Setting a value does what the subscript with an ``HTTPField/Name`` does. For a text that is not a token (RFC
    /// 9110, section 5.6.2) there can be no field: setting changes nothing.
    ///
    /// ```swift
    /// request.headerFields["X-One"] = "1"
    /// ```
    ///
    /// - Parameter name: the name, compared without regard to case.
    /// - Returns: the value; several fields with the name are joined by a comma.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            guard let fieldName = HTTPField.Name(name) else { return }
            self[fieldName] = newValue
        }
    }

    /// The values of all fields with a name, in order and not joined, as `Set-Cookie` needs.
    ///
    /// - Parameter name: the name, compared without regard to case.
    /// - Returns: the values; empty if no field has the name.
    public subscript(values name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// A line for each field, with the values of sensitive ones redacted.
    public var description: String { lines.joined(separator: "\n") }

    /// The fields, with the values of sensitive ones redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: lines, displayStyle: .collection) }

    private var lines: [String] { map(\.description) }
}

extension Redaction {
    /// Returns the value of a field without secrets.
    package static func value(of field: HTTPField, secretNames: SecretNameSet) -> String {
        guard field.isSensitive || secretNames.contains(field.name) else {
            return holdsURL(field)
                ? url(text: field.value, secretNames: secretNames, isRedirect: field.name == .location)
                : removing(secretNames.longValues, from: field.value)
        }
        // The scheme of a credential tells its kind without revealing it.
        if field.name == .authorization, let space = field.value.firstIndex(of: " ") {
            return field.value[...space] + mark
        }
        return mark
    }

    /// Returns fields without the values of secret ones.
    package static func fields(_ fields: HTTPFields, secretNames: SecretNameSet) -> HTTPFields {
        HTTPFields(fields.map { HTTPField(name: $0.name, value: value(of: $0, secretNames: secretNames)) })
    }

    /// Whether a field has a URL in it, which may have secrets in its query.
    package static func holdsURL(_ field: HTTPField) -> Bool {
        let name = field.name
        return name == .location || name == .contentLocation || name == .link || name.canonicalName == "referer"
            || name.canonicalName == "refresh" || field.value.firstRange(ofBytes: "://") != nil
    }
}

extension SecretNameSet {
    /// Whether the name of a field is in the set.
    package func contains(_ name: HTTPField.Name) -> Bool { contains(name.canonicalName) }
}
