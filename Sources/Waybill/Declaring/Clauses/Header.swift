/// A header field of the request.
///
/// A name declared in an inner scope replaces that name from outer scopes; within one scope, fields of the same name
/// add up. A nil value declares nothing.
///
/// ```swift
/// Header("X-Request-ID", requestID)
/// Header(.ifNoneMatch, etag)
/// Header("X-API-Key", key, secret: true)       // redacted in every text
/// ```
///
/// A name that is not a token, or a value with a line break in it, is a declaration error: nothing is sent.
public struct Header: RepeatableClause {
    private enum Content {
        case add(HTTPField, isSecret: Bool)
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
            self.init(
                .declarationError(
                    DeclarationError(
                        clause: "Header",
                        value: "\"\(name)\"",
                        reason: "a field's name is a token: letters, digits and marks such as -, without spaces"
                    )
                )
            )
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
            // The value may be a secret, and it has control characters: it stays out of the text.
            content = .declarationError(
                DeclarationError(
                    clause: "Header",
                    value: "\"\(name)\"",
                    reason: "its value has a line break or another control character, which a field must not contain"
                )
            )
        }
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
        case .remove(let name): scope.declare(HeaderChange.remove(name))
        case .nothing: break
        case .declarationError(let declarationError): scope.declare(declarationError)
        }
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
        case .remove(let name): "Header(removing: \(name))"
        case .nothing: "Header()"
        case .declarationError(let declarationError): "\(declarationError)"
        }
    }
}
