/// A key by which a server knows an attempt for one of a call that it has seen already, so that nothing happens twice.
///
/// ```swift
/// IdempotencyKey()                            // Idempotency-Key: 0f6b1c9e-…
/// IdempotencyKey(header: "X-Request-Id")
/// IdempotencyKey(quoted: true)                // Idempotency-Key: "0f6b1c9e-…"
/// IdempotencyKey.none                         // whatever a farther scope says
/// ```
///
/// Calls whose methods are not idempotent, POST and PATCH above all, get a random UUID (RFC 9562, version 4): a new one
/// for each call, the same for all of its attempts and redirects, as far as these stay on the origin. A `Header` of that
/// name takes its place: its value is the key then.
///
/// With a key, ``Retry`` repeats calls that it otherwise would not. Declare it only where the server heeds the key; the
/// field is that of draft-ietf-httpapi-idempotency-key-header.
public struct IdempotencyKey: Setting {
    /// What holds where keys are not switched off.
    package struct Form: Sendable {
        package let header: String
        package let isQuoted: Bool
    }

    package let form: Form?

    /// The field's name where none is declared.
    static let usualName = HTTPField.Name("Idempotency-Key")

    /// Declares keys.
    ///
    /// - Parameters:
    ///   - header: the name of the field. What is no token (RFC 9110, section 5.6.2) is a mistake.
    ///   - quoted: whether the key stands in quotation marks, as the draft has it; most servers take it without.
    public init(header: String = "Idempotency-Key", quoted: Bool = false) {
        form = Form(header: header, isQuoted: quoted)
    }

    private init(form: Form?) { self.form = form }

    /// No key, whatever a farther scope says.
    public static let none = IdempotencyKey(form: nil)

    /// The field's name; nil where there is no key.
    package var name: HTTPField.Name? { form.flatMap { HTTPField.Name($0.header) } }

    /// The field's name.
    public var summary: String { form.map { $0.isQuoted ? "\($0.header), quoted" : $0.header } ?? "none" }

    /// Declares the key.
    public func declare(in scope: inout Scope) {
        if let form, name == nil {
            scope.declare(
                Mistake(
                    clause: "IdempotencyKey",
                    value: "header: \"\(form.header)\"",
                    reason: "a field's name is a token: letters, digits and marks such as -, without spaces"
                )
            )
        }
        scope.declare(self)
    }
}
