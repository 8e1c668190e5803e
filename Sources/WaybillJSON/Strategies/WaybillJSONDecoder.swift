import WaybillSystem

/// A decoder of `Decodable` types from JSON, like Foundation's `JSONDecoder` but faster and stricter.
///
/// ```swift
/// var decoder = WaybillJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// let products = try decoder.decode([Product].self, from: data, at: "data", "items")
/// ```
///
/// The decoder is a value type: changing a copy does not affect the original, and any number of threads can use one
/// decoder concurrently without a lock.
///
/// A document is accepted or rejected as a whole, even if only part of it is decoded (RFC 8259). If a key is repeated,
/// the first member wins. Numbers are correctly rounded to `Double` and `Float`; for any other type, a loss of
/// precision is an error.
///
/// For speed, the decoder relies on implementation details of the standard library, which it checks at run time. The
/// environment variable `WAYBILL_JSON_SAFE=1` turns this off; see "Safe mode" in <doc:Guide-JSONDecoding>.
public struct WaybillJSONDecoder: Sendable {
    private(set) var strategies = DecodingStrategies.unchanged

    /// Creates a decoder with the default strategies of Foundation's `JSONDecoder`.
    public init() {}

    /// The strategy for decoding dates; the default is ``DateDecodingStrategy/deferredToDate``.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { strategies.dates }
        set { change { $0.dates = newValue } }
    }

    /// The strategy for decoding `Data`; the default is ``DataDecodingStrategy/base64``.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { strategies.data }
        set { change { $0.data = newValue } }
    }

    /// The strategy for decoding keys; the default is ``KeyDecodingStrategy/useDefaultKeys``.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { strategies.keys }
        set { change { $0.keys = newValue } }
    }

    /// The strategy for strings that denote infinity or NaN; the default is `throw`.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { strategies.nonConformingFloats }
        set { change { $0.nonConformingFloats = newValue } }
    }

    /// The strategy for decoding `Int64` and `UInt64`; the default accepts only numbers.
    public var int64DecodingStrategy: Int64DecodingStrategy {
        get { strategies.int64s }
        set { change { $0.int64s = newValue } }
    }

    /// The strategy for decoding strings with lone surrogates; by default, they are rejected.
    public var loneSurrogateDecodingStrategy: LoneSurrogateDecodingStrategy {
        get { strategies.loneSurrogates }
        set { change { $0.loneSurrogates = newValue } }
    }

    /// The value of `Decoder.userInfo` during decoding.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { strategies.userInfo }
        set { change { $0.userInfo = newValue } }
    }

    /// The maximum nesting depth of arrays and objects; 512 by default.
    ///
    /// Documents nested more deeply are rejected with `DecodingError.dataCorrupted`. Parsing is not recursive, but the
    /// initializers of nested types are.
    public var maximumDepth: Int {
        get { strategies.maximumDepth }
        set { change { $0.maximumDepth = newValue } }
    }

    private mutating func change(_ body: (DecodingStrategies) -> Void) {
        if !isKnownUniquelyReferenced(&strategies) { strategies = DecodingStrategies(strategies) }
        body(strategies)
    }
}

/// A decoder's strategies, stored in one object because every decoding call passes them along.
///
/// Sendable although mutable: only `WaybillJSONDecoder` mutates an instance, and only while it holds the sole
/// reference.
final class DecodingStrategies: @unchecked Sendable {
    static let unchanged = DecodingStrategies()

    fileprivate(set) var dates = WaybillJSONDecoder.DateDecodingStrategy.deferredToDate
    fileprivate(set) var data = WaybillJSONDecoder.DataDecodingStrategy.base64
    fileprivate(set) var keys = WaybillJSONDecoder.KeyDecodingStrategy.useDefaultKeys
    fileprivate(set) var nonConformingFloats = WaybillJSONDecoder.NonConformingFloatDecodingStrategy.throw
    fileprivate(set) var int64s = WaybillJSONDecoder.Int64DecodingStrategy.number
    fileprivate(set) var loneSurrogates = WaybillJSONDecoder.LoneSurrogateDecodingStrategy.throw
    fileprivate(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    fileprivate(set) var maximumDepth = 512

    private init() {}

    fileprivate init(_ other: DecodingStrategies) {
        dates = other.dates
        data = other.data
        keys = other.keys
        nonConformingFloats = other.nonConformingFloats
        int64s = other.int64s
        loneSurrogates = other.loneSurrogates
        userInfo = other.userInfo
        maximumDepth = other.maximumDepth
    }
}
