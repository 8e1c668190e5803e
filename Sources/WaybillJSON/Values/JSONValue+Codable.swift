import WaybillSystem

/// A decoder that learns what an initializer decodes, and has no document.
package protocol JSONLearningDecoder: Decoder {
    /// Notes that any JSON is decoded here, and returns a value.
    func decodeJSON() throws -> JSONValue
}

extension JSONValue: Codable {
    /// Decodes any value that any decoder offers.
    ///
    /// A number becomes an ``integer(_:)`` or a ``number(_:)`` if `Int` or `Decimal` can hold it, else a
    /// ``double(_:)`` or, from `WaybillJSONDecoder`, a ``numeral(_:)``, so that none is altered; decoders of Foundation
    /// round. Decoding recurs and the stack of a task is small, so the depth is limited to 256 levels.
    ///
    /// - Parameter decoder: any decoder.
    /// - Throws: a foreign decoder's error for a number that not even `Double` can hold; `DecodingError.dataCorrupted`
    ///   for a value that is more than 256 levels deep in the document.
    public init(from decoder: any Decoder) throws {
        if var reader = JSONTreeReader(decoder) {
            let depth = reader.depth
            try self.init(&reader, depth: depth)
            return
        }
        // One that asks what a type decodes would take the first attempt below for the answer.
        if let decoder = decoder as? any JSONLearningDecoder {
            self = try decoder.decodeJSON()
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
    /// - Parameter encoder: any encoder; infinity and NaN of a ``double(_:)`` are up to it. Encoders other than
    ///   `WaybillJSONEncoder` get the nearest `Decimal` or `Double` of a ``numeral(_:)``.
    /// - Throws: `EncodingError.invalidValue` for a number that is `Decimal.nan`, and the errors of the encoder.
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
    ///   - reader: the reader, at the value.
    ///   - depth: the number of arrays and objects around the value.
    /// - Throws: the reader's error, also for a value that is nested too deep.
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
            // The first of several members with one name counts.
            if let earlier = members.updateValue(try JSONValue(&reader, depth: depth + 1), forKey: key) {
                members[key] = earlier
            }
        }
        return members
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON text, keys sorted; the same value always gives the same text.
    ///
    /// Infinity and NaN, which JSON cannot express, are written as `null`.
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

    /// Writes a string with the escapes that RFC 8259, section 7, demands.
    package static func write(_ string: String, to text: inout String) {
        text += "\""
        // Nearly no string has an escape: it is appended as a whole, and not scalar by scalar.
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

/// An encoder that writes the text of a number that no type of Swift holds.
protocol NumeralEncoder: Encoder {}
