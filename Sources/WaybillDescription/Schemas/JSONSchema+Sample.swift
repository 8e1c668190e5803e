import Waybill

extension JSONSchema {
    /// Creates the schema of a value, for a type that only encodes.
    package init(sampling value: JSONValue) {
        switch value {
        case .null: self = JSONSchema(.any, origin: .unknown("the value is null"))
        case .bool: self = JSONSchema(.boolean)
        case .integer: self = JSONSchema(.integer(format: nil))
        case .number, .double: self = JSONSchema(value.intValue == nil ? .number(format: nil) : .integer(format: nil))
        case .string: self = JSONSchema(.string(format: nil))
        case .array(let elements):
            let schemas = elements.map(JSONSchema.init(sampling:)).uniqued
            let element =
                switch schemas.count {
                case 0: JSONSchema.unknown("the array of the value is empty")
                case 1: schemas[0]
                default: JSONSchema(.anyOf(schemas))
                }
            self = JSONSchema(.array(element, hasUniqueElements: false))
        case .object(let members):
            let properties = members.sorted { $0.key < $1.key }.map { key, value in
                Property(key, JSONSchema(sampling: value), isRequired: false)
            }
            self = JSONSchema(.object(properties))
        }
        if origin == .asked { origin = .sampled }
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in their order.
    package var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
