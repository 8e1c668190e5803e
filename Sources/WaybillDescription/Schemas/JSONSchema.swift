import Waybill
import WaybillSystem

/// A JSON Schema (2020-12) of what a type decodes: its members, elements and scalars, and how each was learned.
///
/// ```swift
/// let schema = JSONSchema.Document(of: Product.self).root
/// print(schema.json)
/// ```
public struct JSONSchema: Sendable, Hashable {
    /// The values that the schema allows.
    public var form: Form

    /// Whether null is allowed too.
    public var isNullable = false

    /// The way in which the schema was learned.
    public var origin = Origin.asked

    /// The value that the type takes if the member is absent.
    public var defaultValue: JSONValue?

    /// Values that the schema allows.
    public var examples: [JSONValue] = []

    /// The meaning of a scalar whose form the coder decides; nil for any other value.
    package var meaning: Meaning?

    package enum Meaning: Sendable, Hashable { case date, data }

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - form: the values that it allows.
    ///   - isNullable: whether it allows null too.
    ///   - origin: the way in which it was learned, which becomes a `$comment` of its JSON.
    public init(_ form: Form, isNullable: Bool = false, origin: Origin = .asked) {
        self.form = form
        self.isNullable = isNullable
        self.origin = origin
    }

    /// The values that a schema allows.
    public indirect enum Form: Sendable, Hashable {
        /// Any value.
        case any
        /// Null alone.
        case null
        /// True and false.
        case boolean
        /// Integers, in the range of a format such as `int64` or `uint8`.
        case integer(format: String?)
        /// Numbers, of a format such as `double`.
        case number(format: String?)
        /// Strings, of a format such as `date-time` or `uuid`.
        case string(format: String?)
        /// Strings that are bytes in Base64 (RFC 4648, section 4).
        case base64
        /// Arrays whose elements have one schema.
        case array(JSONSchema, hasUniqueElements: Bool)
        /// Arrays whose elements have a schema each, in their order.
        case tuple([JSONSchema])
        /// Objects with known members.
        case object([Property])
        /// Objects whose keys are data, with the schema of their values.
        case dictionary(JSONSchema, keys: JSONSchema?)
        /// The listed values; others too, if the type takes them.
        case enumeration([JSONValue], isOpen: Bool)
        /// Values of exactly one of the schemas, each a case of the type.
        case oneOf([JSONSchema])
        /// Values of any of the schemas, which the type tries one after the other.
        case anyOf([JSONSchema])
        /// The definition of a name.
        case reference(String)
    }

    /// A member of an object.
    public struct Property: Sendable, Hashable {
        /// The key, as the document has it.
        public var key: String

        /// The schema of the value.
        public var schema: JSONSchema

        /// Whether decoding fails without the member.
        public var isRequired: Bool

        /// Creates a member.
        ///
        /// - Parameters:
        ///   - key: the key, as the document has it.
        ///   - schema: the schema of the value.
        ///   - isRequired: whether decoding fails without the member.
        public init(_ key: String, _ schema: JSONSchema, isRequired: Bool) {
            self.key = key
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// The way in which a schema was learned.
    public enum Origin: Sendable, Hashable {
        /// The initializer of the type asked for it.
        case asked
        /// The schema rests on something that the initializer did not say, such as a value that it accepted.
        case inferred(String)
        /// The schema is that of a value.
        case sampled
        /// The schema could not be learned, for a reason.
        case unknown(String)
    }
}

extension JSONSchema {
    /// A schema that allows everything, because learning it failed.
    package static func unknown(_ reason: String) -> JSONSchema { JSONSchema(.any, origin: .unknown(reason)) }

    /// Returns the schema of values that have any of several schemas; an unknown one for an empty list.
    static func anyOf(_ schemas: [JSONSchema], orUnknown reason: String) -> JSONSchema {
        guard let first = schemas.first else { return unknown(reason) }
        return schemas.count == 1 ? first : JSONSchema(.anyOf(schemas))
    }
}

extension JSONSchema {
    /// Creates the schema of a type's values as texts, in a path or a query.
    package init(ofText type: Any.Type) {
        switch type {
        case let integer as any FixedWidthInteger.Type: self.init(.integer(format: integer.schemaFormat))
        case is Bool.Type: self.init(.boolean)
        case is Double.Type, is Float.Type, is Decimal.Type: self.init(.number(format: nil))
        case is Date.Type: self.init(.string(format: "date-time"))
        case is UUID.Type: self.init(.string(format: "uuid"))
        case is URL.Type: self.init(.string(format: "uri-reference"))
        case let raw as any RawRepresentable.Type: self = raw.textSchema
        default: self.init(.string(format: nil))
        }
    }

    /// Creates the schema of a type's values as strings.
    ///
    /// For dates, the example determines the format.
    init(ofText type: Any.Type, example: String?) {
        guard type is Date.Type, let example else {
            self.init(ofText: type)
            return
        }
        if Int(example) != nil {
            self.init(.integer(format: nil))
        } else if Double(example) != nil {
            self.init(.number(format: nil))
        } else {
            self.init(.string(format: example.dateFormat))
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

extension Array where Element: Hashable {
    /// The elements without repetitions, in their order.
    package var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension JSONSchema {
    /// The members that RFC 9457 defines for a problem; others may stand beside them.
    static let problemDetails = JSONSchema(
        .object([
            Property("type", JSONSchema(.string(format: "uri-reference")), isRequired: false),
            Property("title", JSONSchema(.string(format: nil)), isRequired: false),
            Property("status", JSONSchema(.integer(format: nil)), isRequired: false),
            Property("detail", JSONSchema(.string(format: nil)), isRequired: false),
            Property("instance", JSONSchema(.string(format: "uri-reference")), isRequired: false),
        ])
    )
}
