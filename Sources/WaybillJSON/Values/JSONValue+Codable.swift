import WaybillSystem

extension JSONValue: Codable {
    /// Decodes any value that any decoder offers.
    ///
    /// A number becomes an ``integer(_:)`` or a ``number(_:)`` if `Int` or `Decimal` can hold it, else a
    /// ``double(_:)``; one that even `Double` cannot hold throws the decoder's error. A value that is more than 256
    /// levels deep in the document throws `DecodingError.dataCorrupted`: decoding recurs, and the stack of a task is
    /// small.
    public init(from decoder: any Decoder) throws {
        if var reader = JSONTreeReader(decoder) {
            let depth = reader.depth
            try self.init(&reader, depth: depth)
            return
        }
        // Apart, so that the frame that recurs on the stack is small.
        if let scalar = try Self.scalar(from: decoder) {
            self = scalar
        } else if decoder.codingPath.count >= Self.maximumDepth {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: Self.tooDeep)
            )
        } else if var elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(of: &elements))
        } else {
            // Not by a keyed container, whose keys a decoder's key strategy would change.
            self = .object(try decoder.singleValueContainer().decode([String: JSONValue].self))
        }
    }

    static let maximumDepth = 256

    /// The text of the error for a deeper value.
    static var tooDeep: String { "The value is nested more than \(maximumDepth) levels deep." }

    /// Decodes a value that is neither an array nor an object; nil if it may be one.
    @inline(never)
    private static func scalar(from decoder: any Decoder) throws -> JSONValue? {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .some(.null) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        // Before Int, because Foundation's Int of 1.0000000000000001 is 1.
        if let value = try? container.decode(Decimal.self) { return JSONValue(value) }
        if let value = try? container.decode(Int.self) { return .integer(value) }
        if let value = try double(from: container) { return JSONValue(value) }
        return .none
    }

    /// Decodes a `Double`; nil if the value is not a number; throws if it is a number that does not fit.
    private static func double(from container: any SingleValueDecodingContainer) throws -> Double? {
        do {
            return try container.decode(Double.self)
        } catch DecodingError.dataCorrupted(let context) {
            throw DecodingError.dataCorrupted(context)
        } catch {
            return nil
        }
    }

    private static func elements(of container: inout any UnkeyedDecodingContainer) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        while !container.isAtEnd {
            // Some containers reject to decode null as anything but nil.
            elements.append(try container.decodeNil() ? .null : container.decode(JSONValue.self))
        }
        return elements
    }

    /// Encodes the value through any encoder; keys are data and are not changed by a key strategy.
    ///
    /// Throws `EncodingError.invalidValue` for a number that is `Decimal.nan`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value):
            guard !value.isNaN else {
                throw EncodingError.invalidValue(
                    value,
                    .init(codingPath: encoder.codingPath, debugDescription: "JSON has no number for Decimal.nan.")
                )
            }
            try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
