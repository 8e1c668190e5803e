import WaybillJSON
import WaybillSystem

/// A type that encodes `Encodable` values as the bytes of a request body.
///
/// ``Encode`` accepts a `WaybillJSONEncoder` or a `JSONEncoder` directly. To use another encoder, wrap it in a type
/// that provides the media type of its output:
///
/// ```swift
/// struct PropertyList: RequestEncoder {
///     let contentType = "application/x-plist"
///
///     func encode<Value: Encodable>(_ value: Value) throws -> Data { try PropertyListEncoder().encode(value) }
/// }
/// ```
public protocol RequestEncoder: Sendable {
    /// The media type of the encoded bytes.
    var contentType: String { get }

    /// Encodes a value.
    ///
    /// - Parameter value: the value.
    /// - Returns: the bytes.
    /// - Throws: an error if the value cannot be encoded. An `EncodingError` gives the most precise diagnosis.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension WaybillJSONEncoder: RequestEncoder {
    /// The media type of JSON.
    public var contentType: String { JSONRequestEncoder.mediaType }
}

/// A JSON encoder, Waybill's or Foundation's, whose strategies can be changed by declarations.
///
/// `JSONEncoder` does not conform to `RequestEncoder` directly, to avoid adding the protocol's members to it.
package struct JSONRequestEncoder: RequestEncoder {
    /// The media type of JSON.
    package static let mediaType = "application/json"

    private enum Base: Sendable {
        case waybill(WaybillJSONEncoder)
        case foundation(JSONEncoder, writesInt64AsText: Bool)
    }

    private let base: Base

    /// Creates an encoder from a Waybill encoder.
    package init(_ json: WaybillJSONEncoder) { base = .waybill(json) }

    /// Creates an encoder that leaves a Foundation encoder's output unchanged.
    package init(_ json: JSONEncoder) { base = .foundation(json, writesInt64AsText: false) }

    package var contentType: String { Self.mediaType }

    /// Encodes a value.
    package func encode<Value: Encodable>(_ value: Value) throws -> Data {
        switch base {
        case .waybill(let json): return try json.encode(value)
        case .foundation(let json, false): return try json.encode(value)
        case .foundation(let json, true):
            // Foundation's encoder has no integer strategy, so the 64-bit integers are converted in a tree.
            let tree = try ValueEncoder(userInfo: json.userInfo, convertsOtherKeys: true).encode(value)
            return try json.encode(tree.withInt64Texts)
        }
    }

    /// Returns a copy of the encoder with the given strategies; nil for a subclass of `JSONEncoder`, which cannot be
    /// copied.
    ///
    /// A nil argument keeps the existing strategy.
    package func applying(
        keys: WaybillJSONEncoder.KeyEncodingStrategy?,
        dates: WaybillJSONEncoder.DateEncodingStrategy?,
        data: WaybillJSONEncoder.DataEncodingStrategy?,
        int64: WaybillJSONEncoder.Int64EncodingStrategy?
    ) -> JSONRequestEncoder? {
        switch base {
        case .waybill(let json):
            return JSONRequestEncoder(json.applying(keys: keys, dates: dates, data: data, int64: int64))
        case .foundation(let json, let writesInt64AsText):
            guard type(of: json) == JSONEncoder.self else { return nil }
            return JSONRequestEncoder(
                base: .foundation(
                    json.applying(keys: keys, dates: dates, data: data),
                    writesInt64AsText: int64.map { $0 == .convertToString } ?? writesInt64AsText
                )
            )
        }
    }

    /// The encoder without pretty printing.
    package var inOneLine: JSONRequestEncoder {
        switch base {
        case .waybill(var json):
            json.outputFormatting.remove(.prettyPrinted)
            return JSONRequestEncoder(json)
        case .foundation(let json, let writesInt64AsText):
            let json = json.copy
            json.outputFormatting.remove(.prettyPrinted)
            return JSONRequestEncoder(base: .foundation(json, writesInt64AsText: writesInt64AsText))
        }
    }

    /// An encoder with the same output that throws for dates that ISO 8601 cannot represent.
    package var rejectingUnwritableDates: JSONRequestEncoder {
        guard case .foundation(let json, let writesInt64AsText) = base else { return self }
        return JSONRequestEncoder(
            base: .foundation(json.rejectingUnwritableDates, writesInt64AsText: writesInt64AsText)
        )
    }

    /// The name of the encoder's type, for explanations.
    fileprivate var name: String {
        switch base {
        case .waybill(let json): "\(type(of: json))"
        case .foundation(let json, _): "\(type(of: json))"
        }
    }

    private init(base: Base) { self.base = base }
}

extension EncodedValue {
    /// The value with 64-bit integers converted to strings.
    fileprivate var withInt64Texts: EncodedValue {
        switch self {
        case .object(let members): .object(members.map { ($0.key, $0.value.withInt64Texts) })
        case .dictionary(let members): .dictionary(members.map { ($0.key, $0.value.withInt64Texts) })
        case .array(let elements): .array(elements.map(\.withInt64Texts))
        case .leaf(let number as Int64): .leaf("\(number)")
        case .leaf(let number as UInt64): .leaf("\(number)")
        case .null, .leaf: self
        }
    }
}

extension RequestEncoder {
    /// The name of the encoder's type, for explanations.
    package var typeName: String { (self as? JSONRequestEncoder)?.name ?? "\(type(of: self))" }
}
