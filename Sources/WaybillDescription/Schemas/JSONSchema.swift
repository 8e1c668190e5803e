import Waybill

/// A JSON Schema (2020-12) of what a type decodes: its members, elements and scalars, and how each was learned.
///
/// ```swift
/// let schema = JSONSchema(of: Product.self)
/// print(schema.document.formatted)
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

    /// The meaning of a scalar, whose form is the coder's; nil for a value that means itself.
    package var meaning: Meaning?

    package enum Meaning: Sendable, Hashable { case date, data }

    /// Creates a schema.
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
    /// A schema that allows everything because it could not be learned.
    package static func unknown(_ reason: String) -> JSONSchema { JSONSchema(.any, origin: .unknown(reason)) }
}
