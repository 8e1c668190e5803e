import Waybill
import WaybillSystem

extension JSONSchema {
    /// Creates the schema of a type's values as texts, in a path or a query.
    package init(ofText type: Any.Type) {
        if let integer = type as? any FixedWidthInteger.Type {
            self.init(.integer(format: integer.schemaFormat))
        } else if type == Bool.self {
            self.init(.boolean)
        } else if type == Double.self || type == Float.self || type == Decimal.self {
            self.init(.number(format: nil))
        } else if type == Date.self {
            self.init(.string(format: "date-time"))
        } else if type == UUID.self {
            self.init(.string(format: "uuid"))
        } else if type == URL.self {
            self.init(.string(format: "uri-reference"))
        } else if let raw = type as? any RawRepresentable.Type {
            self = raw.textSchema
        } else {
            self.init(.string(format: nil))
        }
    }

    /// Returns a text as a value of the schema.
    package func value(ofText text: String) -> JSONValue {
        switch form {
        case .integer: Int(text).map(JSONValue.integer) ?? .string(text)
        case .number: Double(text).map { JSONValue($0) } ?? .string(text)
        case .boolean: text == "true" ? true : text == "false" ? false : .string(text)
        case .enumeration(let values, _):
            values.first { $0.stringValue == text || $0.description == text } ?? .string(text)
        default: .string(text)
        }
    }
}

extension FixedWidthInteger {
    /// The format of the integers in a schema; nil for those of the machine's width.
    static var schemaFormat: String? {
        if Self.self == Int.self { return nil }
        return (isSigned ? "int" : "uint") + "\(bitWidth)"
    }
}

extension RawRepresentable {
    fileprivate static var textSchema: JSONSchema {
        guard let cases = EnumCases.all(of: Self.self) else { return JSONSchema(ofText: RawValue.self) }
        let values = cases.map { value -> JSONValue in
            (value.rawValue as? any FixedWidthInteger).flatMap { Int("\($0)") }.map(JSONValue.integer)
                ?? .string("\(value.rawValue)")
        }
        return JSONSchema(.enumeration(values, isOpen: false))
    }
}
