import Foundation

/// Settings that both decoders have, to configure either one.
struct DecoderSettings: Sendable {
    enum Keys: Sendable {
        case useDefaultKeys
        case convertFromSnakeCase
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    enum Dates: Sendable {
        case deferredToDate
        case secondsSince1970
        case millisecondsSince1970
        case iso8601
        case formatted(DateFormatter)
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    enum Bytes: Sendable {
        case deferredToData
        case base64
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    enum Floats: Sendable {
        case `throw`
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    var keys = Keys.useDefaultKeys
    var dates = Dates.deferredToDate
    var bytes = Bytes.base64
    var floats = Floats.throw
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
}
