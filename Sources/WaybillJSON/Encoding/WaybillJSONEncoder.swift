import WaybillSystem

/// An encoder of `Encodable` types to JSON, like Foundation's `JSONEncoder` but faster and with deterministic output.
///
/// ```swift
/// var encoder = WaybillJSONEncoder()
/// encoder.keyEncodingStrategy = .convertToSnakeCase
/// encoder.dateEncodingStrategy = .iso8601
/// let data = try encoder.encode(["name": "Lamp"])
/// ```
///
/// The encoder is a value type: changing a copy does not affect the original, and any number of threads can use one
/// encoder concurrently without a lock.
///
/// Members are written in the order in which a type encodes them; dictionary members are sorted by key. If a type
/// encodes a key twice, the last value wins. Numbers are written in the shortest form that preserves their value.
///
/// For speed, the encoder relies on implementation details of the standard library, which it checks at run time. The
/// environment variable `WAYBILL_JSON_SAFE=1` turns this off; see "Safe mode" in <doc:Guide-JSONDecoding>.
public struct WaybillJSONEncoder: Sendable {
    private(set) var strategies = EncodingStrategies.unchanged

    /// Creates an encoder with the default strategies of Foundation's `JSONEncoder`.
    public init() {}

    /// The format of the output; by default compact, unsorted, and with slashes escaped as `\/`.
    public var outputFormatting: OutputFormatting {
        get { strategies.formatting }
        set { change { $0.formatting = newValue } }
    }

    /// The strategy for encoding dates; the default is ``DateEncodingStrategy/deferredToDate``.
    public var dateEncodingStrategy: DateEncodingStrategy {
        get { strategies.dates }
        set { change { $0.dates = newValue } }
    }

    /// The strategy for encoding `Data`; the default is ``DataEncodingStrategy/base64``.
    public var dataEncodingStrategy: DataEncodingStrategy {
        get { strategies.data }
        set { change { $0.data = newValue } }
    }

    /// The strategy for encoding keys; the default is ``KeyEncodingStrategy/useDefaultKeys``.
    public var keyEncodingStrategy: KeyEncodingStrategy {
        get { strategies.keys }
        set { change { $0.keys = newValue } }
    }

    /// The strategy for encoding infinity and NaN; by default, they are rejected.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
        get { strategies.nonConformingFloats }
        set { change { $0.nonConformingFloats = newValue } }
    }

    /// The strategy for encoding `Int64` and `UInt64`; the default writes numbers.
    public var int64EncodingStrategy: Int64EncodingStrategy {
        get { strategies.int64s }
        set { change { $0.int64s = newValue } }
    }

    /// The strategy for encoding `UUID`; by default, uppercase.
    public var uuidEncodingStrategy: UUIDEncodingStrategy {
        get { strategies.uuids }
        set { change { $0.uuids = newValue } }
    }

    /// The value of `Encoder.userInfo` during encoding.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { strategies.userInfo }
        set { change { $0.userInfo = newValue } }
    }

    /// The maximum nesting depth of arrays and objects; 512 by default.
    ///
    /// A more deeply nested value is rejected with `EncodingError.invalidValue` before it exhausts the stack. Only
    /// methods that encode a value throw this error: a type whose `encode(to:)` calls itself with an encoder from
    /// `superEncoder(forKey:)`, without encoding anything, still overflows the stack.
    public var maximumDepth: Int {
        get { strategies.maximumDepth }
        set { change { $0.maximumDepth = newValue } }
    }

    /// Encodes a value.
    ///
    /// - Parameter value: the value, which can also be a scalar.
    /// - Returns: the document, in UTF-8.
    /// - Throws: `EncodingError.invalidValue`, with the coding path, for a value that JSON or a strategy cannot
    ///   express, for a value nested too deeply, and for a type that encodes nothing or conflicting values. Also throws
    ///   any error from a type's `encode(to:)`.
    /// - Complexity: linear in the length of the document, plus the cost of sorting if keys are sorted.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        var session = EncodingSession.pool.take()
        defer { if EncodingSession.finish(&session) { EncodingSession.pool.leave(session) } }
        session.begin(strategies)
        try session.state.write(value, in: session.state.pointee.root)
        return try session.document(of: Value.self)
    }

    private mutating func change(_ body: (EncodingStrategies) -> Void) {
        if !isKnownUniquelyReferenced(&strategies) { strategies = EncodingStrategies(strategies) }
        body(strategies)
    }
}

/// An encoder's strategies, stored in one object because every encoding call passes them along.
///
/// Sendable although mutable: only `WaybillJSONEncoder` mutates an instance, and only while it holds the sole
/// reference.
final class EncodingStrategies: @unchecked Sendable {
    static let unchanged = EncodingStrategies()

    fileprivate(set) var formatting: WaybillJSONEncoder.OutputFormatting = []
    fileprivate(set) var dates = WaybillJSONEncoder.DateEncodingStrategy.deferredToDate
    fileprivate(set) var data = WaybillJSONEncoder.DataEncodingStrategy.base64
    fileprivate(set) var keys = WaybillJSONEncoder.KeyEncodingStrategy.useDefaultKeys
    fileprivate(set) var nonConformingFloats = WaybillJSONEncoder.NonConformingFloatEncodingStrategy.throw
    fileprivate(set) var int64s = WaybillJSONEncoder.Int64EncodingStrategy.number
    fileprivate(set) var uuids = WaybillJSONEncoder.UUIDEncodingStrategy.uppercase
    fileprivate(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    fileprivate(set) var maximumDepth = 512

    private init() {}

    fileprivate init(_ other: EncodingStrategies) {
        formatting = other.formatting
        dates = other.dates
        data = other.data
        keys = other.keys
        nonConformingFloats = other.nonConformingFloats
        int64s = other.int64s
        uuids = other.uuids
        userInfo = other.userInfo
        maximumDepth = other.maximumDepth
    }
}
