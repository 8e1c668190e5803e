import Foundation

extension FuzzedDocument {
    /// The agreement of the two decoders on a type, ignoring the differences listed in JSONDecoding.md.
    enum Agreement {
        /// Both succeed or both fail.
        case always
        /// Both succeed or both fail, provided that numbers have only digits, and at most fifteen.
        case ofPlainNumbers
        /// The values are equal if both succeed.
        case ofValues
        /// The values may differ.
        case none
    }

    /// The checks that decode each type with both decoders.
    var typeChecks: [() -> Void] {
        // Foundation's decoder accepts neither an escaped "inf" nor zeros such as 0e5.
        let hasEscapedWords = settings.convertsFloats && bytes.contains(0x5C)
        let hasZerosWithExponents = zip(bytes, bytes.dropFirst()).contains { $0 == 0x30 && $1 | 0x20 == 0x65 }
        let floats: Agreement = hasEscapedWords || hasZerosWithExponents ? .ofValues : .always
        return [
            { check(AnyJSON.self, floats) },
            { check(FuzzedTypes.Item.self, min(floats, .ofPlainNumbers)) },
            { check([FuzzedTypes.Item].self, min(floats, .ofPlainNumbers)) },
            { check([String: FuzzedTypes.Item?].self, min(floats, .ofPlainNumbers)) },
            { check([FuzzedTypes.Enumerations].self, .ofPlainNumbers) },
            { check(FuzzedTypes.Enumerations.self, .ofPlainNumbers) },
            { check(FuzzedTypes.Numbers.self, min(floats, .ofPlainNumbers)) },
            { check([[Double]].self, floats) },
            { check([Int].self, .ofPlainNumbers) },
            { check([Decimal?].self, .ofPlainNumbers) },
            { check(FuzzedTypes.Values.self, settings.readsDateStrings ? .none : .ofValues) },
            { check(FuzzedTypes.Derived.self, .ofPlainNumbers) },
            { check([FuzzedTypes.Payload].self, .ofPlainNumbers) },
            { check([String: [String]].self, .always) },
        ]
    }

    private func min(_ left: Agreement, _ right: Agreement) -> Agreement {
        if case .ofValues = left { left } else { right }
    }

    private func check<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ agreement: Agreement
    ) {
        let ours = diagnosed { try settings.decoder.decode(type, from: data) }
        if isJSON == false { expect(ours.value == nil, "\(type) is decoded") }
        guard isJSON == true else { return }
        let theirs = Result { try settings.foundation.decode(type, from: data) }
        let foundations = try? theirs.get()
        switch settings.convertsKeys && hasDuplicateKeys ? .ofValues : agreement {
        case .none: return
        case .always: expectAlike(ours, theirs, type)
        case .ofPlainNumbers where hasPlainNumbers: expectAlike(ours, theirs, type)
        default: break
        }
        guard let value = ours.value, let foundations else { return }
        expect(value == foundations, "\(type) is \(value), and to Foundation \(foundations)")
    }

    private func expectAlike<Value>(
        _ ours: (value: Value?, error: (any Error)?),
        _ theirs: Result<Value, any Error>,
        _ type: Value.Type
    ) {
        switch theirs {
        case .success(let value):
            if let error = ours.error { expect(false, "\(type) is \(value) to Foundation, and here \(error)") }
        case .failure(let error):
            guard !hasLoneSurrogate, let value = ours.value else { return }
            expect(false, "\(type) is \(value), and to Foundation \(error)")
        }
    }

    private var hasDuplicateKeys: Bool {
        outcome { try settings.decoder.decode(FuzzedTypes.Tree.self, from: data) }.value?.hasDuplicateKeys ?? true
    }

    /// Whether no number has a fraction, an exponent, or more than fifteen digits.
    private var hasPlainNumbers: Bool {
        var digits = 0
        for byte in bytes {
            if byte &- 0x30 < 10 {
                digits += 1
                if digits > 15 { return false }
            } else {
                if digits > 0, byte == 0x2E || byte | 0x20 == 0x65 { return false }
                digits = 0
            }
        }
        return true
    }

    /// Checks that decoding a list succeeds exactly if a lossy array of it drops nothing.
    func checkLossy() {
        let whole = outcome { try settings.decoder.decode([FuzzedTypes.Item].self, from: data) }
        let lossy = outcome { try settings.decoder.decode(LossyArray<FuzzedTypes.Item>.self, from: data) }
        let direct = outcome { try settings.decoder.decodeLossy([FuzzedTypes.Item].self, from: data) }
        expect(lossy.value?.elements == direct.value?.elements, "lossy arrays differ")
        expect(lossy.value?.dropped.map(\.index) == direct.value?.dropped.map(\.index), "lossy arrays drop differently")
        if let elements = whole.value {
            expect(lossy.value?.elements == elements && lossy.value?.dropped.isEmpty == true, "an element is dropped")
        } else if let lossy = lossy.value {
            expect(!lossy.dropped.isEmpty, "nothing is dropped of a list that does not decode")
        }
    }

    /// Checks that reading a tree yields the same value as decoding with containers.
    func checkTree() {
        guard settings.keepsKeys, !settings.convertsFloats else { return }
        let tree = outcome { try settings.decoder.decode(FuzzedTypes.Tree.self, from: data) }.value?.value
        let value = outcome { try settings.decoder.decode(AnyJSON.self, from: data) }.value
        switch (tree, value) {
        case (let tree?, let value?): expect(Self.isClose(tree, value), "the tree is \(tree)")
        case (nil, nil): break
        default: expect(false, "the tree is \(String(describing: tree)), the value \(String(describing: value))")
        }
    }

    /// Returns whether two values are equal, apart from the rounding of decimal numbers.
    private static func isClose(_ left: AnyJSON, _ right: AnyJSON) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): (left - right).magnitude <= right.magnitude * 1e-12
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isClose($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { key, value in right[key].map { isClose(value, $0) } ?? false }
        default: left == right
        }
    }
}
