import Waybill
import WaybillSystem

/// A JSON Schema (2020-12) of the values that a type decodes, with the origin of each part.
///
/// ```swift
/// let schema = JSONSchema.Document(of: Product.self).root
/// print(schema.json)
/// ```
public struct JSONSchema: Sendable, Hashable {
    /// The values that the schema allows.
    public var form: Form

    /// Whether `null` is also allowed.
    public var isNullable = false

    /// The source from which the schema was learned.
    public var origin = Origin.asked

    /// The value that the type uses if the member is absent.
    public var defaultValue: JSONValue?

    /// Examples of allowed values.
    public var examples: [JSONValue] = []

    /// The meaning of a scalar whose format depends on the coder; nil for any other value.
    package var meaning: Meaning?

    package enum Meaning: Sendable, Hashable { case date, data }

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - form: the values that the schema allows.
    ///   - isNullable: whether the schema also allows `null`.
    ///   - origin: how the schema was learned. Any origin except ``Origin/asked`` becomes a `$comment` in the JSON.
    public init(_ form: Form, isNullable: Bool = false, origin: Origin = .asked) {
        self.form = form
        self.isNullable = isNullable
        self.origin = origin
    }

    /// The values that a schema allows.
    public indirect enum Form: Sendable, Hashable {
        /// Any value.
        case any
        /// Only `null`.
        case null
        /// True and false.
        case boolean
        /// Integers, optionally in a format such as `int64` or `uint8`.
        case integer(format: String?)
        /// Numbers, optionally in a format such as `double`.
        case number(format: String?)
        /// Strings, optionally in a format such as `date-time` or `uuid`.
        case string(format: String?)
        /// Strings of Base64-encoded bytes (RFC 4648, section 4).
        case base64
        /// Arrays whose elements share one schema.
        case array(JSONSchema, hasUniqueElements: Bool)
        /// Arrays with a separate schema for each element, in order.
        case tuple([JSONSchema])
        /// Objects with known members.
        case object([Property])
        /// Objects whose keys are data, with a schema for their values and optionally one for their keys.
        case dictionary(JSONSchema, keys: JSONSchema?)
        /// The listed values, and any others if the enumeration is open.
        case enumeration([JSONValue], isOpen: Bool)
        /// Values that match exactly one of the schemas, each describing a case of the type.
        case oneOf([JSONSchema])
        /// Values that match any of the schemas, which the type tries in order.
        case anyOf([JSONSchema])
        /// A reference to a named definition.
        case reference(String)
    }

    /// A member of an object.
    public struct Property: Sendable, Hashable {
        /// The key in the document.
        public var key: String

        /// The schema of the value.
        public var schema: JSONSchema

        /// Whether decoding fails without the member.
        public var isRequired: Bool

        /// Creates a member.
        ///
        /// - Parameters:
        ///   - key: the key in the document.
        ///   - schema: the schema of the value.
        ///   - isRequired: whether decoding fails without the member.
        public init(_ key: String, _ schema: JSONSchema, isRequired: Bool) {
            self.key = key
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// The source from which a schema was learned.
    public enum Origin: Sendable, Hashable {
        /// The type's initializer requested a value of this form.
        case asked
        /// The schema was inferred, for example from a value that the initializer accepted. The string states the
        /// reason.
        case inferred(String)
        /// The schema was derived from a value.
        case sampled
        /// The schema could not be learned. The string states the reason.
        case unknown(String)
    }
}

extension JSONSchema {
    /// Returns a schema that allows any value, with the reason that learning failed.
    package static func unknown(_ reason: String) -> JSONSchema { JSONSchema(.any, origin: .unknown(reason)) }

    /// Returns a schema that allows the values of several schemas; an unknown schema for an empty list.
    static func anyOf(_ schemas: [JSONSchema], orUnknown reason: String) -> JSONSchema {
        guard let first = schemas.first else { return unknown(reason) }
        return schemas.count == 1 ? first : JSONSchema(.anyOf(schemas))
    }
}

extension JSONSchema {
    /// Creates the schema of a type whose values are written as text in a path or query.
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

    /// Creates the schema of a type whose values are written as text, with an example for the format of dates.
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

    /// Returns the value that a text represents in the schema's type, or else the text as a string.
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
    /// The name of the type's format in a schema; nil for `Int`.
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
    /// The elements without duplicates, in order.
    package var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension JSONSchema {
    /// The members of a problem defined by RFC 9457; problems can have others.
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
