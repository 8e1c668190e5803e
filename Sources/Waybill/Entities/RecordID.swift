/// The id of a ``Record``: a whole number or text, as the server has it.
public enum RecordID: Sendable, Hashable, Codable, PathSegmentConvertible {
    /// A whole number.
    case integer(Int)
    /// Text.
    case string(String)

    /// The id that a JSON value is; nil for a value that can be none.
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
        guard let id = RecordID(value) else {
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

    /// The number's digits, or the text.
    public var pathSegment: String {
        switch self {
        case .integer(let number): number.pathSegment
        case .string(let text): text
        }
    }
}

extension RecordID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A whole number.
    public init(integerLiteral number: Int) { self = .integer(number) }

    /// Text.
    public init(stringLiteral text: String) { self = .string(text) }
}
