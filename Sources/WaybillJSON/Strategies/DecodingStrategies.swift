import Foundation

/// Everything that is set on a decoder.
struct DecodingStrategies: Sendable {
    var dates = WaybillJSONDecoder.DateDecodingStrategy.deferredToDate
    var data = WaybillJSONDecoder.DataDecodingStrategy.base64
    var keys = WaybillJSONDecoder.KeyDecodingStrategy.useDefaultKeys
    var nonConformingFloats = WaybillJSONDecoder.NonConformingFloatDecodingStrategy.throw
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    var maximumDepth = 512
}
