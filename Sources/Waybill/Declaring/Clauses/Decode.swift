import Foundation

/// What decodes the bodies of answers.
///
/// ```swift
/// Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
/// Decode(with: PropertyListDecoder())
/// ```
///
/// Without it, JSON is decoded with ISO 8601 dates.
public struct Decode: Setting {
    /// The decoder.
    public let decoder: any ResponseDecoder

    /// Another decoder.
    public init(with decoder: some ResponseDecoder) { self.decoder = decoder }

    /// JSON with other strategies; those not given stay Waybill's.
    public init(
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
        dates: JSONDecoder.DateDecodingStrategy = .waybillISO8601,
        data: JSONDecoder.DataDecodingStrategy = .base64
    ) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys
        decoder.dateDecodingStrategy = dates
        decoder.dataDecodingStrategy = data
        self.decoder = decoder
    }

    /// The type of the decoder.
    public var summary: String { "\(type(of: decoder))" }
}
