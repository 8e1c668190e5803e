import WaybillSystem

extension Plan {
    /// Returns the plan with an idempotency key, if its call is declared to have one and has none of its own.
    package func adding(key: String) -> Plan {
        guard let (name, form) = expectedKey, !headerFields.contains(name),
            HTTPField.isValid(value: form.fieldValue(of: key))
        else { return self }
        let scope = scopes.last { $0.settings[IdempotencyKey.self] != nil }
        return adding(HTTPField(name: name, value: form.fieldValue(of: key)), from: scope?.name ?? "IdempotencyKey")
    }

    /// The field of the key, and its form; nil if the call has no use for a key.
    var expectedKey: (name: HTTPField.Name, form: IdempotencyKey.Form)? {
        guard !method.isIdempotent, let key = settings[IdempotencyKey.self], let name = key.name, let form = key.form
        else { return nil }
        return (name, form)
    }
}

extension IdempotencyKey.Form {
    /// Returns a key in the form of the field.
    func fieldValue(of key: String) -> String { isQuoted ? "\"\(key)\"" : key }
}

extension IdempotencyKey {
    /// Returns a random UUID in lower case: all bits but those of version and variant are random (RFC 9562, section
    /// 5.4).
    static func random(_ randomSource: RandomSource) -> String {
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
