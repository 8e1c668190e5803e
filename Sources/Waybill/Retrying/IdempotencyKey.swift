import WaybillSystem

/// A key by which a server recognizes another attempt of the same call, so that a call takes effect once.
///
/// ```swift
/// IdempotencyKey()                            // Idempotency-Key: 0f6b1c9e-…
/// IdempotencyKey(header: "X-Request-Id")
/// IdempotencyKey(quoted: true)                // Idempotency-Key: "0f6b1c9e-…"
/// IdempotencyKey.none                         // even if an outer scope declares one
/// ```
///
/// Calls whose methods are not idempotent, POST and PATCH above all, get a random UUID (RFC 9562, version 4): a new one
/// for each call, the same for all of its attempts, and for its redirects as long as they stay on the origin and keep
/// the method. A `Header` of that name replaces it: its value is the key then.
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
            scope.declarationErrors.reject(
                "IdempotencyKey",
                "header: \"\(form.header)\"",
                because: "a field's name is a token: letters, digits and marks such as -, without spaces"
            )
        }
        scope.declare(self)
    }
}

extension Plan {
    /// Returns the plan with an idempotency key, if its call is declared to have one and has none of its own.
    package func adding(key: @autoclosure () -> String) -> Plan {
        guard !method.isIdempotent, let clause = settings[IdempotencyKey.self], let name = clause.name,
            !headerFields.contains(name)
        else { return self }
        let value = clause.form?.isQuoted == true ? "\"\(key())\"" : key()
        let scope = scopes.last { $0.settings[IdempotencyKey.self] != nil }
        return adding(HTTPField(name: name, value: value), from: scope?.name ?? "IdempotencyKey")
    }
}

extension IdempotencyKey {
    /// Returns a random UUID in lower case: all bits but those of version and variant are random (RFC 9562, section
    /// 5.4).
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

/// The idempotency key of the next call that is made with an endpoint.
///
/// Its plan shows the key, and the call takes it: what is planned and then sent has one key, and the call after it
/// another. It is an object, so that copies of an endpoint do not send the same key twice.
package final class NextIdempotencyKey: Sendable {
    private let key = Locked<String?>(nil)

    private init() {}

    /// Creates one for a call; nil if its method is idempotent, and if neither its client's settings nor the inner
    /// scopes declare a key.
    ///
    /// No initializer, since one that fails has allocated the object: most endpoints have no key.
    package static func make(for settings: Scope.Settings, _ inner: [Scope]) -> NextIdempotencyKey? {
        let method = inner.last { $0.route?.method != nil }?.route?.method ?? .get
        guard !method.isIdempotent else { return nil }
        let isDeclared =
            settings[IdempotencyKey.self]?.form != nil
            || inner.contains { $0.settings[IdempotencyKey.self]?.form != nil }
        return isDeclared ? NextIdempotencyKey() : nil
    }

    /// Returns the key that the next call takes.
    package func shown(_ randomSource: RandomSource) -> String {
        if let key = key.withLock({ $0 }) { return key }
        // Made outside of the lock: the random numbers may be an app's own.
        let new = IdempotencyKey.random(randomSource)
        return key.withLock { key in
            if key == nil { key = new }
            return key ?? new
        }
    }

    /// Takes the key for a call: the one that was shown, or else a new one.
    package func taken(_ randomSource: RandomSource) -> String {
        key.withLock { $0.take() } ?? IdempotencyKey.random(randomSource)
    }
}
