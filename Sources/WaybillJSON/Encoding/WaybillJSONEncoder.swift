import WaybillSystem

/// An encoder of `Encodable` types to JSON: like Foundation's `JSONEncoder`, faster, and the same value gives the same
/// bytes.
///
/// ```swift
/// var encoder = WaybillJSONEncoder()
/// encoder.keyEncodingStrategy = .convertToSnakeCase
/// encoder.dateEncodingStrategy = .iso8601
/// let data = try encoder.encode(["name": "Lamp"])
/// ```
///
/// It is a value: a copy can be changed without the original, and any number of threads can use one at once, without a
/// lock.
///
/// Members are written in the order in which a type encodes them, those of a dictionary in the order of their keys. Of
/// a key that a type encodes twice, the last value counts. Numbers are as short as they can be without a loss.
public struct WaybillJSONEncoder: Sendable {
    private(set) var strategies = EncodingStrategies.unchanged

    /// Creates an encoder with the default strategies of Foundation's.
    public init() {}

    /// The form of the output; by default compact, in the order of encoding, and with `\/` for a slash.
    public var outputFormatting: OutputFormatting {
        get { strategies.formatting }
        set { change { $0.formatting = newValue } }
    }

    /// The strategy for dates; by default numbers of seconds since 2001.
    public var dateEncodingStrategy: DateEncodingStrategy {
        get { strategies.dates }
        set { change { $0.dates = newValue } }
    }

    /// The strategy for `Data`; by default Base64.
    public var dataEncodingStrategy: DataEncodingStrategy {
        get { strategies.data }
        set { change { $0.data = newValue } }
    }

    /// The strategy for keys; by default they are unchanged.
    public var keyEncodingStrategy: KeyEncodingStrategy {
        get { strategies.keys }
        set { change { $0.keys = newValue } }
    }

    /// The strategy for infinities and NaN; by default they are errors.
    public var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
        get { strategies.nonConformingFloats }
        set { change { $0.nonConformingFloats = newValue } }
    }

    /// The strategy for `Int64` and `UInt64`; by default numbers.
    public var int64EncodingStrategy: Int64EncodingStrategy {
        get { strategies.int64s }
        set { change { $0.int64s = newValue } }
    }

    /// The strategy for `UUID`; by default upper case, as `UUID` encodes itself.
    public var uuidEncodingStrategy: UUIDEncodingStrategy {
        get { strategies.uuids }
        set { change { $0.uuids = newValue } }
    }

    /// The values of `Encoder.userInfo` for types that encode themselves.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { strategies.userInfo }
        set { change { $0.userInfo = newValue } }
    }

    /// The most arrays and objects that may be nested in each other; 512 by default.
    ///
    /// A value that is nested deeper is rejected with `EncodingError.invalidValue`, before it uses up the stack. Only
    /// the calls that encode a value can throw: a type whose `encode(to:)` calls itself with an encoder of
    /// `superEncoder(forKey:)`, and encodes nothing on the way, overflows the stack.
    public var maximumDepth: Int {
        get { strategies.maximumDepth }
        set { change { $0.maximumDepth = newValue } }
    }

    /// Encodes a value.
    ///
    /// - Parameter value: the value; one that is neither an array nor an object is a document too.
    /// - Returns: the document, in UTF-8.
    /// - Throws: `EncodingError.invalidValue`, with the coding path, for a value that JSON or a strategy cannot
    ///   express, for a type that encodes nothing or encodes itself in a way that no document has, and for one that is
    ///   nested too deep; and the errors of types that encode themselves.
    /// - Complexity: linear in the length of the document; with sorted keys, sorting is added.
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

/// All strategies of an encoder: one object, because each call of an encoder passes it on.
///
/// It is sendable although it can be changed: only an encoder does that, before it shares the object.
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
