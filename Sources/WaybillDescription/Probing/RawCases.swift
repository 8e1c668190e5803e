import Waybill
import WaybillSystem

/// The cases of an enum that decodes as a raw value, and these values.
struct RawCases {
    let values: [Any]
    let rawValues: [JSONValue]

    /// Whether the type decodes values that are not listed, such as one whose initializer has a case for unknown ones.
    let isOpen: Bool

    /// Creates the cases of a type; nil if it is not an enum, or does not decode as its raw values.
    init?<Value: Decodable>(_ type: Value.Type) {
        guard let raw = type as? any RawRepresentable.Type, let cases = EnumCases.all(of: type), !cases.isEmpty else {
            return nil
        }
        let texts = cases.compactMap { Self.rawValue(of: $0, raw) }
        guard texts.count == cases.count else { return nil }
        for (text, value) in zip(texts, cases) {
            guard let decoded = Self.decode(type, text), Self.rawValue(of: decoded, raw) == text,
                Self.rawValue(of: value, raw) == text
            else { return nil }
        }
        values = cases
        rawValues = texts
        let unlisted: JSONValue = texts[0].stringValue == nil ? .integer(987_654_321) : "waybill-unlisted-value"
        isOpen = Self.decode(type, unlisted) != nil
    }

    private static func rawValue<Raw: RawRepresentable>(of value: Any, _ type: Raw.Type) -> JSONValue? {
        switch (value as? Raw)?.rawValue {
        case let text as String: .string(text)
        case let number as any FixedWidthInteger: Int("\(number)").map(JSONValue.integer)
        case let number as Double: JSONValue(number)
        case let character as Character: .string(String(character))
        default: nil
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ value: JSONValue) -> Value? {
        try? WaybillJSONDecoder().decode(type, from: Data(value.description.utf8))
    }
}
