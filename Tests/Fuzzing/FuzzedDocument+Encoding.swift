import Foundation

extension FuzzedDocument {
    /// Encodes the document's value in a format chosen by its length, and checks that it decodes to the same value and
    /// that Foundation accepts it.
    func checkEncoding() {
        guard let value = try? WaybillJSONDecoder().decode(JSONValue.self, from: data) else { return }
        var encoder = WaybillJSONEncoder()
        encoder.outputFormatting = WaybillJSONEncoder.OutputFormatting(rawValue: UInt(bytes.count % 16))
        let encoded = outcome { try encoder.encode(value) }.value
        expect(encoded != nil, "a value is not encoded")
        guard let encoded else { return }
        expect((try? WaybillJSONDecoder().decode(JSONValue.self, from: encoded)) == value, "the value is another one")
        expect((try? encoder.encode(value)) == encoded, "the bytes are others")
        // Foundation rejects numbers out of the range of `Double`.
        guard value.isWithinDouble else { return }
        expect((try? JSONSerialization.jsonObject(with: encoded, options: .fragmentsAllowed)) != nil, "not read")
    }
}

extension JSONValue {
    /// Whether all numbers of the value are within the range of `Double`.
    fileprivate var isWithinDouble: Bool {
        switch self {
        case .numeral: doubleValue != nil
        case .array(let elements): elements.allSatisfy(\.isWithinDouble)
        case .object(let members): members.values.allSatisfy(\.isWithinDouble)
        default: true
        }
    }
}
