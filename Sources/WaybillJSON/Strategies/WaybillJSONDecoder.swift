import WaybillSystem

/// Decodes `Decodable` types from JSON: Foundation's `JSONDecoder`, faster and stricter.
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
    var strategies = DecodingStrategies()

    /// Creates a decoder with the strategies that Foundation's has at first.
    public init() {}

    /// The strategy for dates; by default numbers of seconds since 2001.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { strategies.dates }
        set { strategies.dates = newValue }
    }

    /// The strategy for `Data`; by default Base64.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { strategies.data }
        set { strategies.data = newValue }
    }

    /// The strategy for keys; by default they are unchanged.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { strategies.keys }
        set { strategies.keys = newValue }
    }

    /// Whether strings can denote infinities and NaN; false by default.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { strategies.nonConformingFloats }
        set { strategies.nonConformingFloats = newValue }
    }

    /// The strategy for `Int64` and `UInt64`; by default numbers alone.
    public var int64DecodingStrategy: Int64DecodingStrategy {
        get { strategies.int64s }
        set { strategies.int64s = newValue }
    }

    /// The values of `Decoder.userInfo` for types that decode themselves.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { strategies.userInfo }
        set { strategies.userInfo = newValue }
    }

    /// The most arrays and objects that may be nested in each other; 512 by default.
    ///
    /// A document that is nested deeper is rejected with `DecodingError.dataCorrupted`. Reading does not recurse at any
    /// depth; types that decode themselves do.
    public var maximumDepth: Int {
        get { strategies.maximumDepth }
        set { strategies.maximumDepth = newValue }
    }
}

/// All strategies of a decoder; one reference, because each call of a decoder passes it on.
struct DecodingStrategies: Sendable {
    private var storage = Storage.unchanged

    var dates: WaybillJSONDecoder.DateDecodingStrategy {
        get { storage.dates }
        set { change { $0.dates = newValue } }
    }

    var data: WaybillJSONDecoder.DataDecodingStrategy {
        get { storage.data }
        set { change { $0.data = newValue } }
    }

    var keys: WaybillJSONDecoder.KeyDecodingStrategy {
        get { storage.keys }
        set { change { $0.keys = newValue } }
    }

    var nonConformingFloats: WaybillJSONDecoder.NonConformingFloatDecodingStrategy {
        get { storage.nonConformingFloats }
        set { change { $0.nonConformingFloats = newValue } }
    }

    var int64s: WaybillJSONDecoder.Int64DecodingStrategy {
        get { storage.int64s }
        set { change { $0.int64s = newValue } }
    }

    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { storage.userInfo }
        set { change { $0.userInfo = newValue } }
    }

    var maximumDepth: Int {
        get { storage.maximumDepth }
        set { change { $0.maximumDepth = newValue } }
    }

    private mutating func change(_ body: (Storage) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
        body(storage)
    }

    /// Sendable although it can be changed: that is done only while one value has it.
    private final class Storage: @unchecked Sendable {
        static let unchanged = Storage()

        var dates = WaybillJSONDecoder.DateDecodingStrategy.deferredToDate
        var data = WaybillJSONDecoder.DataDecodingStrategy.base64
        var keys = WaybillJSONDecoder.KeyDecodingStrategy.useDefaultKeys
        var nonConformingFloats = WaybillJSONDecoder.NonConformingFloatDecodingStrategy.throw
        var int64s = WaybillJSONDecoder.Int64DecodingStrategy.number
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        var maximumDepth = 512

        private init() {}

        init(_ other: Storage) {
            dates = other.dates
            data = other.data
            keys = other.keys
            nonConformingFloats = other.nonConformingFloats
            int64s = other.int64s
            userInfo = other.userInfo
            maximumDepth = other.maximumDepth
        }
    }
}
