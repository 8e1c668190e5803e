extension JSONValue {
    /// The id of a ``JSONEntity``: a whole number or text, as the server has it.
    public enum EntityID: Sendable, Hashable, Codable, PathSegmentConvertible {
        /// A whole number.
        case integer(Int)
        /// Text.
        case string(String)

        /// Creates an id from a JSON value; nil for a value that cannot be one.
        public init?(_ value: JSONValue) {
            if let text = value.stringValue {
                self = .string(text)
            } else if let number = value.intValue {
                self = .integer(number)
            } else {
                return nil
            }
        }

        /// Decodes a whole number or text.
        public init(from decoder: any Decoder) throws {
            let value = try JSONValue(from: decoder)
            guard let id = JSONValue.EntityID(value) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "an id is a whole number or text, not \(value)"
                    )
                )
            }
            self = id
        }

        /// Encodes the number or the text.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .integer(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            }
        }

        /// Returns the number's digits, or the text.
        public static func pathSegment(of value: Self) -> String {
            switch value {
            case .integer(let number): "\(number)"
            case .string(let text): text
            }
        }
    }
}

extension JSONValue.EntityID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Creates an id from a whole number.
    public init(integerLiteral number: Int) { self = .integer(number) }

    /// Creates an id from text.
    public init(stringLiteral text: String) { self = .string(text) }
}
