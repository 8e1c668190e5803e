import WaybillSystem

/// A decoder that has no document and records the decoding calls of an initializer.
package protocol JSONLearningDecoder: Decoder {
    /// Records that arbitrary JSON is decoded, and returns a placeholder value.
    func decodeJSON() throws -> JSONValue
}

extension JSONValue: Codable {
    /// Decodes a value of any kind from any decoder.
    ///
    /// A number becomes an ``integer(_:)`` or a ``number(_:)`` if `Int` or `Decimal` can represent it exactly.
    /// Otherwise it becomes a ``double(_:)`` or, from `WaybillJSONDecoder`, a ``numeral(_:)``, which keeps its digits.
    /// Foundation's decoders round such a number. Decoding is recursive and the stacks of tasks are small, so the depth
    /// is limited to 256 levels.
    ///
    /// - Parameter decoder: any decoder.
    /// - Throws: `DecodingError.dataCorrupted` for a value that is nested more than 256 levels deep, and the decoder's
    ///   error, such as for a number that even `Double` cannot represent.
    public init(from decoder: any Decoder) throws {
        if var reader = JSONTreeReader(decoder) {
            let depth = reader.depth
            try self.init(&reader, depth: depth)
            return
        }
        // A recording decoder would mistake the first attempt below for the result.
        if let decoder = decoder as? any JSONLearningDecoder {
            self = try decoder.decodeJSON()
            return
        }
        // A separate function decodes scalars, to keep the recursive stack frame small.
        if let scalar = try Self.scalar(from: decoder) {
            self = scalar
        } else if decoder.codingPath.count >= Self.maximumDepth {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: Self.tooDeep)
            )
        } else if var elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(of: &elements))
        } else {
            // A keyed container is not used, because the decoder's key strategy would change the keys.
            self = .object(try decoder.singleValueContainer().decode([String: JSONValue].self))
        }
    }

    static let maximumDepth = 256

    /// The error message for a value that is nested too deeply.
    static var tooDeep: String { "The value is nested more than \(maximumDepth) levels deep." }

    /// Decodes a scalar; nil if the value can be an array or object.
    @inline(never)
    private static func scalar(from decoder: any Decoder) throws -> JSONValue? {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .some(.null) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        // `Decimal` is tried before `Int`, because Foundation decodes 1.0000000000000001 as the `Int` 1.
        if let value = try? container.decode(Decimal.self) { return JSONValue(value) }
        if let value = try? container.decode(Int.self) { return .integer(value) }
        if let value = try double(from: container) { return JSONValue(value) }
        return .none
    }

    /// Decodes a `Double`; nil if the value is not a number.
    ///
    /// - Parameter container: the container of the value.
    /// - Returns: the number.
    /// - Throws: `DecodingError.dataCorrupted` for a number that is out of range.
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
            // Some containers decode `null` only through `decodeNil()`.
            elements.append(try container.decodeNil() ? .null : container.decode(JSONValue.self))
        }
        return elements
    }

    /// Encodes the value to any encoder; key strategies do not apply to its keys, which are data.
    ///
    /// - Parameter encoder: any encoder; it decides how to encode infinity and NaN in a ``double(_:)``. Encoders other
    ///   than `WaybillJSONEncoder` receive the nearest `Decimal` or `Double` for a ``numeral(_:)``.
    /// - Throws: `EncodingError.invalidValue` for `Decimal.nan`, and any error thrown by the encoder.
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
        case .numeral(let value):
            if encoder is any NumeralEncoder {
                try container.encode(self)
            } else if let decimal = value.nearestDecimal {
                try container.encode(decimal)
            } else {
                try container.encode(Double(value.text) ?? .nan)
            }
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue {
    /// Reads a value of any kind.
    ///
    /// - Parameters:
    ///   - reader: the reader, positioned at the value.
    ///   - depth: the number of arrays and objects that enclose the value.
    /// - Throws: the reader's error, including the one for a value that is nested too deeply.
    init(_ reader: inout JSONTreeReader, depth: Int) throws {
        switch try reader.next() {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .decimal(let value): self = .number(value)
        case .double(let value): self.init(value)
        case .numeral(let text): self = .numeral(Numeral(parsed: text))
        case .string(let value): self = .string(value)
        case .array(let count): self = .array(try Self.elements(&reader, count: count, depth: depth))
        case .object(let count): self = .object(try Self.members(&reader, count: count, depth: depth))
        }
    }

    private static func elements(
        _ reader: inout JSONTreeReader,
        count: Int,
        depth: Int
    ) throws -> [JSONValue] {
        guard depth < maximumDepth else { throw reader.rejection(tooDeep) }
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        while !reader.leave() { elements.append(try JSONValue(&reader, depth: depth + 1)) }
        return elements
    }

    private static func members(
        _ reader: inout JSONTreeReader,
        count: Int,
        depth: Int
    ) throws -> [String: JSONValue] {
        guard depth < maximumDepth else { throw reader.rejection(tooDeep) }
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(count)
        while !reader.leave() {
            let key = try reader.nextKey()
            // If a name is repeated, the first member wins.
            if let earlier = members.updateValue(try JSONValue(&reader, depth: depth + 1), forKey: key) {
                members[key] = earlier
            }
        }
        return members
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON text with sorted keys.
    ///
    /// Infinity and NaN, which JSON cannot express, appear as `null`.
    public var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null:
            text += "null"
        case .bool(let value):
            text += value ? "true" : "false"
        case .integer(let value):
            text += value.description
        case .number(let value):
            text += value.isNaN ? "null" : value.description
        case .double(let value):
            text += value.isFinite ? value.description : "null"
        case .numeral(let value):
            text += value.text
        case .string(let value):
            Self.write(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                Self.write(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Appends a string literal with the escapes that RFC 8259, section 7, requires.
    package static func write(_ string: String, to text: inout String) {
        text += "\""
        // Most strings need no escaping and are appended whole instead of scalar by scalar.
        if !string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            text += string
            text += "\""
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// An encoder that can write the text of a number even if no Swift type represents it exactly.
protocol NumeralEncoder: Encoder {}
