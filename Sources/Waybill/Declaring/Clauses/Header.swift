import WaybillSystem

/// A header field of the request.
///
/// An inner scope's fields replace those of the same name from outer scopes. Within a scope, fields of the same name
/// are all sent. A nil value declares nothing.
///
/// ```swift
/// Header("X-Request-ID", requestID)
/// Header(.ifNoneMatch, etag)
/// Header("X-Priority", 5)                      // also takes a UUID, a date, or an enum with raw values
/// Header("X-API-Key", key, secret: true)       // redacted wherever it is printed
/// Header("X-Locale") { Locale.current.identifier }       // read for each call
/// ```
///
/// A name that is not a token, or a value with a line break or another control character, is a declaration error:
/// nothing is sent.
public struct Header: Scope.RepeatableClause {
    private enum Content {
        case add(HTTPField, isSecret: Bool)
        case read(HTTPField.Name, isSecret: Bool, value: @Sendable () -> String?)
        case remove(HTTPField.Name)
        case nothing
        case declarationError(Scope.DeclarationError)
    }

    private let content: Content

    private init(_ content: Content) { self.content = content }

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init(_ name: String, _ value: String?, secret: Bool = false) {
        guard let fieldName = HTTPField.Name(name) else {
            self.init(Self.invalid(name))
            return
        }
        self.init(fieldName, value, secret: secret)
    }

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init(_ name: HTTPField.Name, _ value: String?, secret: Bool = false) {
        guard let value else {
            content = .nothing
            return
        }
        if HTTPField.isValid(value: value) {
            let field = HTTPField(name: name, value: value)
            content = .add(field, isSecret: secret)
        } else {
            content = .declarationError(.invalidFieldValue(of: name))
        }
    }

    /// Declares a field whose value is read for each call.
    ///
    /// ```swift
    /// Header("X-Locale") { Locale.current.identifier }
    /// ```
    ///
    /// The value is read once per call, when its plan is created. All attempts send the same value. A value with a
    /// control character is a declaration error for that call. For credentials, and for values obtained asynchronously,
    /// see ``Authorization``.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - secret: whether the value is redacted in errors, events and logs.
    ///   - value: returns the value, or nil to add no field.
    public init(_ name: String, secret: Bool = false, value: @escaping @Sendable () -> String?) {
        guard let fieldName = HTTPField.Name(name) else {
            self.init(Self.invalid(name))
            return
        }
        self.init(fieldName, secret: secret, value: value)
    }

    /// Declares a field whose value is read for each call.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - secret: whether the value is redacted in errors, events and logs.
    ///   - value: returns the value, or nil to add no field.
    public init(_ name: HTTPField.Name, secret: Bool = false, value: @escaping @Sendable () -> String?) {
        content = .read(name, isSecret: secret, value: value)
    }

    private static func invalid(_ name: String) -> Content {
        .declarationError(
            Scope.DeclarationError(
                clause: "Header",
                value: "\"\(name)\"",
                reason: "the name of a field is a token: letters, digits and marks such as -, without spaces"
            )
        )
    }

    /// Declares a field with a number, a UUID, a date or another value that has a text.
    ///
    /// A date is written as an HTTP date (RFC 9110, section 5.6.7); any other value as in ``Query``. A value without a
    /// text, such as a number that is not finite, is a declaration error.
    ///
    /// ```swift
    /// Header("X-Request-ID", UUID())
    /// Header("Date", Date())                      // Date: Sat, 28 Nov 2026 18:00:00 GMT
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: QueryValue>(_ name: String, _ value: Value?, secret: Bool = false) {
        self.init(name, converting: value, text: Self.text(of:), secret: secret)
    }

    /// Declares a field with a raw value, such as that of an enum case.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: RawRepresentable>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        self.init(name, converting: value, text: { Self.text(of: $0.rawValue) }, secret: secret)
    }

    /// Declares a field with a value that has both a text and a raw value; the text is used.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: RawRepresentable & QueryValue>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        self.init(name, converting: value, text: Self.text(of:), secret: secret)
    }

    /// Does not compile: the value cannot be written in a field.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: a value that is not a ``QueryValue``.
    ///   - secret: whether the value is redacted in errors, events and logs.
    @available(
        *,
        unavailable,
        message: "a field's value is a QueryValue (text, number, Bool, Date, UUID, URL) or an enum with one"
    )
    @_disfavoredOverload
    public init<Value>(_ name: String, _ value: Value?, secret: Bool = false) { self.init(.nothing) }

    private init<Value>(_ name: String, converting value: Value?, text: (Value) -> String?, secret: Bool) {
        guard let value else {
            self.init(name, String?.none)
            return
        }
        guard let text = text(value) else {
            self.init(.declarationError(.valueWithoutText(of: name, type: Value.self)))
            return
        }
        self.init(name, text, secret: secret)
    }

    private static func text<Value: QueryValue>(of value: Value) -> String? {
        if let date = value as? Date { HTTPDate.text(from: date) } else { value.queryItemText }
    }

    /// Removes a field declared by an outer scope, or a credential sent in that field (see ``Authorization``).
    ///
    /// - Parameter name: the name of the field.
    public init(removing name: HTTPField.Name) { content = .remove(name) }

    /// Declares the field.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        switch content {
        case .add(let field, let isSecret): scope.declare(HeaderChange.add(field, isSecret: isSecret))
        case .read(let name, let isSecret, let value):
            scope.declare(HeaderChange.read(name, isSecret: isSecret, value: value))
        case .remove(let name): scope.declare(HeaderChange.remove(name))
        case .nothing: break
        case .declarationError(let declarationError): scope.declare(declarationError)
        }
    }
}

extension Scope.DeclarationError {
    /// Returns the error for a value that has no text.
    ///
    /// The value is omitted, because it may be secret.
    fileprivate static func valueWithoutText(of name: String, type: Any.Type) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Header",
            value: "\"\(name)\"",
            reason: "its \(type) has no text, such as a number that is not finite; pass a string or another value"
        )
    }

    /// Returns the error for a value that a field cannot contain.
    ///
    /// The value is omitted, because it may be secret and contains control characters.
    static func invalidFieldValue(of name: HTTPField.Name) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Header",
            value: "\"\(name)\"",
            reason: "its value contains a line break or another control character, which is invalid in a field"
        )
    }
}

extension Header: CustomStringConvertible, CustomReflectable {
    /// Only the description, because the stored properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["header": description], displayStyle: .struct) }

    /// The name and the value, which is redacted if it is secret.
    public var description: String {
        switch content {
        case .add(let field, isSecret: true): "Header(\(field.name): \(Redaction.mark))"
        case .add(let field, _): "Header(\(field))"
        case .read(let name, _, _): "Header(\(name), read for each call)"
        case .remove(let name): "Header(removing: \(name))"
        case .nothing: "Header()"
        case .declarationError(let declarationError): "\(declarationError)"
        }
    }
}
