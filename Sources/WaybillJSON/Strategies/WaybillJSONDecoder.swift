import WaybillSystem

/// A decoder of `Decodable` types from JSON: like Foundation's `JSONDecoder`, faster and stricter.
///
/// ```swift
/// var decoder = WaybillJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// let products = try decoder.decode([Product].self, from: data, at: "data", "items")
/// ```
///
/// It is a value: a copy can be changed without the original, and any number of threads can use one at once, without a
/// lock.
///
/// A document is accepted or rejected whole, even if only a part of it is decoded (RFC 8259). Of members with the same
/// key the first one counts. Numbers are rounded correctly to `Double` and `Float`; any other loss is an error.
public struct WaybillJSONDecoder: Sendable {
    private(set) var strategies = DecodingStrategies.unchanged

    /// Creates a decoder with the default strategies of Foundation's.
    public init() {}

    /// The strategy for dates; by default numbers of seconds since 2001.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { strategies.dates }
        set { change { $0.dates = newValue } }
    }

    /// The strategy for `Data`; by default Base64.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { strategies.data }
        set { change { $0.data = newValue } }
    }

    /// The strategy for keys; by default they are unchanged.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { strategies.keys }
        set { change { $0.keys = newValue } }
    }

    /// Whether strings can denote infinities and NaN; false by default.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { strategies.nonConformingFloats }
        set { change { $0.nonConformingFloats = newValue } }
    }

    /// The strategy for `Int64` and `UInt64`; by default numbers alone.
    public var int64DecodingStrategy: Int64DecodingStrategy {
        get { strategies.int64s }
        set { change { $0.int64s = newValue } }
    }

    /// The strategy for strings with lone surrogates; by default an error.
    public var loneSurrogateDecodingStrategy: LoneSurrogateDecodingStrategy {
        get { strategies.loneSurrogates }
        set { change { $0.loneSurrogates = newValue } }
    }

    /// The values of `Decoder.userInfo` for types that decode themselves.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { strategies.userInfo }
        set { change { $0.userInfo = newValue } }
    }

    /// The most arrays and objects that may be nested in each other; 512 by default.
    ///
    /// A document that is nested deeper is rejected with `DecodingError.dataCorrupted`. Reading does not recurse at any
    /// depth; types that decode themselves do.
    public var maximumDepth: Int {
        get { strategies.maximumDepth }
        set { change { $0.maximumDepth = newValue } }
    }

    private mutating func change(_ body: (DecodingStrategies) -> Void) {
        if !isKnownUniquelyReferenced(&strategies) { strategies = DecodingStrategies(strategies) }
        body(strategies)
    }
}

/// All strategies of a decoder: one object, because each call of a decoder passes it on.
///
/// It is sendable although it can be changed: only a decoder does that, before it shares the object.
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
