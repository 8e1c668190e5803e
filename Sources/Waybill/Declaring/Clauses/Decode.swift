import WaybillJSON

/// What decodes the bodies of answers.
///
/// ```swift
/// Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
/// Decode(with: PropertyListDecoder())
/// ```
///
/// Without it, JSON is decoded by `WaybillJSONDecoder`, with ISO 8601 dates. `Decode(with: JSONDecoder())` goes back to
/// Foundation's decoder and the dates that it has at first.
public struct Decode: Setting {
    /// The decoder.
    public let decoder: any ResponseDecoder

    /// Another decoder.
    public init(with decoder: some ResponseDecoder) { self.decoder = decoder }

    /// JSON, by `WaybillJSONDecoder` with other strategies; those not given stay Waybill's.
    public init(
        keys: WaybillJSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
        dates: WaybillJSONDecoder.DateDecodingStrategy = .iso8601,
        data: WaybillJSONDecoder.DataDecodingStrategy = .base64
    ) {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = keys
        decoder.dateDecodingStrategy = dates
        decoder.dataDecodingStrategy = data
        self.decoder = decoder
    }

    /// The type of the decoder.
    public var summary: String { "\(type(of: decoder))" }
}
