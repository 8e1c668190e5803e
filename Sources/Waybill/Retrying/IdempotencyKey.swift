import WaybillSystem

/// A key that identifies repeated attempts of a call to the server, so that the call takes effect only once.
///
/// ```swift
/// IdempotencyKey()                            // Idempotency-Key: 0f6b1c9e-…
/// IdempotencyKey(header: "X-Request-Id")
/// IdempotencyKey(quoted: true)                // Idempotency-Key: "0f6b1c9e-…"
/// IdempotencyKey.none                         // even if an outer scope declares one
/// ```
///
/// Each call with a non-idempotent method, such as POST or PATCH, gets a random UUID (RFC 9562, version 4). All
/// attempts of the call use the same key, as do redirects that preserve the origin and the method. A `Header` clause
/// with the same name overrides the key.
///
/// An endpoint's plan contains the key of the next call made with the endpoint or a copy of it. `plan()` and `curl()`
/// show that key until the call is made, and the key of the following call afterward.
///
/// With a key, ``Retry`` also repeats calls with non-idempotent methods, so declare a key only if the server supports
/// it. The header field is defined in draft-ietf-httpapi-idempotency-key-header.
public struct IdempotencyKey: Setting {
    /// The declared header field name and quoting.
    package struct Form: Sendable {
        package let header: String
        package let isQuoted: Bool
    }

    package let form: Form?

    /// The default name of the header field.
    package static let usualName = HTTPField.Name("Idempotency-Key")

    /// Declares that calls send idempotency keys.
    ///
    /// - Parameters:
    ///   - header: the name of the header field; a name that is not a token (RFC 9110, section 5.6.2) is a declaration
    ///     error.
    ///   - quoted: whether the key is enclosed in quotation marks, as in the draft; most servers expect an unquoted
    ///     key.
    public init(header: String = "Idempotency-Key", quoted: Bool = false) {
        form = Form(header: header, isQuoted: quoted)
    }

    private init(form: Form?) { self.form = form }

    /// No idempotency keys, even if an outer scope declares them.
    public static let none = IdempotencyKey(form: nil)

    /// The name of the header field; nil if calls send no keys or the declared name is invalid.
    package var name: HTTPField.Name? { form.flatMap { HTTPField.Name($0.header) } }

    /// The name of the header field, and whether keys are quoted.
    public var summary: String { form.map { $0.isQuoted ? "\($0.header), quoted" : $0.header } ?? "none" }

    /// Adds the clause to a scope; an invalid header name is a declaration error.
    ///
    /// - Parameter scope: the scope that declares the keys.
    public func declare(in scope: inout Scope) {
        if let form, name == nil {
            scope.declarationErrors.reject(
                "IdempotencyKey",
                "header: \"\(form.header)\"",
                because: "the name of a field is a token: letters, digits and marks such as -, without spaces"
            )
        }
        scope.declare(self)
    }
}

extension Call.Plan {
    /// Returns the plan with an idempotency key added if the method is not idempotent, a key is declared, and the
    /// request does not already contain one.
    package func adding(key: @autoclosure () -> String) -> Call.Plan {
        guard !method.isIdempotent, let clause = settings[IdempotencyKey.self], let name = clause.name,
            !headerFields.contains(name)
        else { return self }
        let value = clause.form?.isQuoted == true ? "\"\(key())\"" : key()
        let scope = scopes.last { $0.settings[IdempotencyKey.self] != nil }
        return adding(HTTPField(name: name, value: value), from: scope?.name ?? "IdempotencyKey")
    }
}

extension IdempotencyKey {
    /// Returns a random UUID in lowercase (RFC 9562, section 5.4).
    package static func random(_ randomSource: RandomSource) -> String {
        let high = randomSource.next() & ~0xF000 | 0x4000
        let low = randomSource.next() & ~(0b11 << 62) | 0b10 << 62
        return String(unsafeUninitializedCapacity: 36) { text in
            var digits = 0
            for place in 0..<36 {
                if place == 8 || place == 13 || place == 18 || place == 23 {
                    text[place] = UInt8(ascii: "-")
                } else {
                    let half = digits < 16 ? high : low
                    let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - digits % 16 * 4)) & 15
                    text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
                    digits += 1
                }
            }
            return 36
        }
    }
}

/// The idempotency key of the next call made with an endpoint.
///
/// The endpoint's plan shows the key, and the call consumes it: a request that is first planned and then sent uses a
/// single key, and the following call gets a new one. This is a class, so that copies of an endpoint never send the
/// same key twice.
package final class NextIdempotencyKey: Sendable {
    private let key = Locked<String?>(nil)

    private init() {}

    /// Creates an instance for a call; nil if the method is idempotent or no key is declared.
    ///
    /// A function instead of a failable initializer, which would allocate an object even for the many endpoints without
    /// a key.
    package static func make(for settings: Scope.Settings, _ inner: [Scope]) -> NextIdempotencyKey? {
        let method = inner.last { $0.route?.method != nil }?.route?.method ?? .get
        guard !method.isIdempotent else { return nil }
        let isDeclared =
            settings[IdempotencyKey.self]?.form != nil
            || inner.contains { $0.settings[IdempotencyKey.self]?.form != nil }
        return isDeclared ? NextIdempotencyKey() : nil
    }

    /// Returns the key of the next call without consuming it.
    package func shown(_ randomSource: RandomSource) -> String {
        if let key = key.withLock({ $0 }) { return key }
        // Created outside the lock, because the random source may call app code.
        let new = IdempotencyKey.random(randomSource)
        return key.withLock { key in
            if key == nil { key = new }
            return key ?? new
        }
    }

    /// Returns the key for a call and consumes it.
    package func taken(_ randomSource: RandomSource) -> String {
        key.withLock { $0.take() } ?? IdempotencyKey.random(randomSource)
    }
}
