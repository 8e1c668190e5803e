import Waybill
import WaybillSystem

/// The default of a type's member that is absent from the document.
enum MemberDefault {
    /// Returns the value at coding keys in an instance: as it encodes it, or of its property of that name.
    static func value(in instance: Any, at keys: [String]) -> JSONValue? {
        if let encodable = instance as? any Encodable, let document = json(of: encodable) {
            return keys.reduce(document) { $0?[$1] }.flatMap { $0.isNull ? JSONValue?.none : $0 }
        }
        guard keys.count == 1, let child = Mirror(reflecting: instance).children.first(where: { $0.label == keys[0] })
        else { return nil }
        guard let encodable = child.value as? any Encodable, let value = json(of: encodable) else { return nil }
        return value.isNull ? JSONValue?.none : value
    }

    private static func json(of value: some Encodable) -> JSONValue? {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        guard let data = try? encoder.encode(value) else { return nil }
        return try? WaybillJSONDecoder().decode(JSONValue.self, from: data)
    }
}
