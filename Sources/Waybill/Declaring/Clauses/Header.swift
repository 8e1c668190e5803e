/// A header field of the request.
///
/// Fields in an inner scope replace fields with the same name from outer scopes. Within a scope, all fields with the
/// same name are sent. A nil value declares nothing.
///
/// ```swift
/// Header("X-Request-ID", requestID)
/// Header(.ifNoneMatch, etag)
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
    /// The value is read once per call, when the call's plan is created. All attempts send the same value. A value with
    /// a control character is a declaration error for that call. For credentials, and for values obtained
    /// asynchronously, see ``Authorization``.
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
                reason: "a field's name is a token: letters, digits and marks such as -, without spaces"
            )
        )
    }

    /// Declares a field with an integer value.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    public init(_ name: String, _ value: (some BinaryInteger)?) {
        self.init(name, value.map { String($0) })
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
    /// Returns the error for an invalid field value.
    ///
    /// The value is omitted, because it may be secret and contains control characters.
    static func invalidFieldValue(of name: HTTPField.Name) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Header",
            value: "\"\(name)\"",
            reason: "its value has a line break or another control character, which a field must not contain"
        )
    }
}

extension Header: CustomStringConvertible, CustomReflectable {
    /// The description only, because the properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["header": description], displayStyle: .struct) }

    /// The name and the value, redacted if it is secret.
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
