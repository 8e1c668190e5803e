import WaybillSystem

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
