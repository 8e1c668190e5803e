/// A header field of the request.
///
/// A name declared in an inner scope replaces that name from outer scopes; within one scope, fields of the same name
/// add up. A nil value declares nothing.
///
/// ```swift
/// Header("X-Request-ID", requestID)
/// Header(.ifNoneMatch, etag)
/// Header("X-API-Key", key, secret: true)       // redacted in every text
/// Header("X-Locale") { Locale.current.identifier }       // read for each call
/// ```
///
/// A name that is not a token, or a value with a line break in it, is a declaration error: nothing is sent.
public struct Header: RepeatableClause {
    private enum Content {
        case add(HTTPField, isSecret: Bool)
        case read(HTTPField.Name, isSecret: Bool, value: @Sendable () -> String?)
        case remove(HTTPField.Name)
        case nothing
        case declarationError(DeclarationError)
    }

    private let content: Content

    private init(_ content: Content) { self.content = content }

    /// Declares a field by the text of its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether texts leave the value out.
    public init(_ name: String, _ value: String?, secret: Bool = false) {
        guard let fieldName = HTTPField.Name(name) else {
            self.init(Self.invalid(name))
            return
        }
        self.init(fieldName, value, secret: secret)
    }

    /// Declares a field by its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether texts leave the value out.
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

    /// Declares a field by the text of its name, whose value each call reads anew.
    ///
    /// ```swift
    /// Header("X-Locale") { Locale.current.identifier }
    /// ```
    ///
    /// The value is read when the plan of a call is made: all attempts of the call send the same one. A value with a
    /// line break is a declaration error of that call. For a value that has to be awaited, and for credentials, see
    /// ``Authorization``.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - secret: whether texts leave the value out.
    ///   - value: returns the value; nil adds no field.
    public init(_ name: String, secret: Bool = false, value: @escaping @Sendable () -> String?) {
        guard let fieldName = HTTPField.Name(name) else {
            self.init(Self.invalid(name))
            return
        }
        self.init(fieldName, secret: secret, value: value)
    }

    /// Declares a field by its name, whose value each call reads anew.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - secret: whether texts leave the value out.
    ///   - value: returns the value; nil adds no field.
    public init(_ name: HTTPField.Name, secret: Bool = false, value: @escaping @Sendable () -> String?) {
        content = .read(name, isSecret: secret, value: value)
    }

    private static func invalid(_ name: String) -> Content {
        .declarationError(
            DeclarationError(
                clause: "Header",
                value: "\"\(name)\"",
                reason: "a field's name is a token: letters, digits and marks such as -, without spaces"
            )
        )
    }

    /// Declares a field whose value is a number.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value; nil declares nothing.
    public init(_ name: String, _ value: (some BinaryInteger)?) {
        self.init(name, value.map { String($0) })
    }

    /// Removes a field that an outer scope declares, or the credential of that field (see ``Authorization``).
    ///
    /// - Parameter name: the name of the field.
    public init(removing name: HTTPField.Name) { content = .remove(name) }

    /// Declares the field.
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

extension DeclarationError {
    /// Returns the error of a value that no field can have.
    ///
    /// The value may be a secret, and it has control characters: it stays out of the text.
    static func invalidFieldValue(of name: HTTPField.Name) -> DeclarationError {
        DeclarationError(
            clause: "Header",
            value: "\"\(name)\"",
            reason: "its value has a line break or another control character, which a field must not contain"
        )
    }
}

extension Header: CustomStringConvertible, CustomReflectable {
    /// The description alone: the properties may have secrets.
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
