/// A key by which a server recognizes another attempt of the same call, so that nothing happens twice.
///
/// ```swift
/// IdempotencyKey()                            // Idempotency-Key: 0f6b1c9e-…
/// IdempotencyKey(header: "X-Request-Id")
/// IdempotencyKey(quoted: true)                // Idempotency-Key: "0f6b1c9e-…"
/// IdempotencyKey.none                         // even if an outer scope declares one
/// ```
///
/// Calls whose methods are not idempotent, POST and PATCH above all, get a random UUID (RFC 9562, version 4): a new one
/// for each call, the same for all of its attempts, and for its redirects as long as they stay on the origin. A
/// `Header` of that name replaces it: its value is the key then.
///
/// The plan of an endpoint has the key of the next call that is made with it or with a copy: `plan()` and `curl()` show
/// it until that call is made, and the key of the call after that from then on.
///
/// With a key, ``Retry`` repeats calls that it otherwise would not. Declare it only if the server supports keys; the
/// field is that of draft-ietf-httpapi-idempotency-key-header.
public struct IdempotencyKey: Setting {
    /// The form of keys, unless they are switched off.
    package struct Form: Sendable {
        package let header: String
        package let isQuoted: Bool
    }

    package let form: Form?

    /// The field's name unless another one is declared.
    static let usualName = HTTPField.Name("Idempotency-Key")

    /// Declares keys.
    ///
    /// - Parameters:
    ///   - header: the name of the field. What is no token (RFC 9110, section 5.6.2) is a declaration error.
    ///   - quoted: whether the key is in quotation marks, as in the draft; most servers take it without.
    public init(header: String = "Idempotency-Key", quoted: Bool = false) {
        form = Form(header: header, isQuoted: quoted)
    }

    private init(form: Form?) { self.form = form }

    /// No key, even if an outer scope declares one.
    public static let none = IdempotencyKey(form: nil)

    /// The field's name; nil if there is no key.
    package var name: HTTPField.Name? { form.flatMap { HTTPField.Name($0.header) } }

    /// The field's name.
    public var summary: String { form.map { $0.isQuoted ? "\($0.header), quoted" : $0.header } ?? "none" }

    /// Declares the key.
    public func declare(in scope: inout Scope) {
        if let form, name == nil {
            scope.declare(
                DeclarationError(
                    clause: "IdempotencyKey",
                    value: "header: \"\(form.header)\"",
                    reason: "a field's name is a token: letters, digits and marks such as -, without spaces"
                )
            )
        }
        scope.declare(self)
    }
}
