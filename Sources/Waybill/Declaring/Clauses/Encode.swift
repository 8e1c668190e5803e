import Foundation

/// What encodes the bodies of requests.
///
/// ```swift
/// Encode(keys: .convertToSnakeCase)
/// Encode(with: encoder)
/// ```
///
/// Without it, JSON is written with ISO 8601 dates and with sorted keys, so that the same call gives the same bytes.
public struct Encode: Setting {
    /// The encoder.
    public let encoder: any RequestEncoder

    /// Another encoder.
    ///
    /// One that orders keys by chance, as Foundation's does unless it sorts them, gives other bytes each time.
    public init(with encoder: some RequestEncoder) { self.encoder = encoder }

    /// JSON with other strategies; those not given stay Waybill's.
    public init(
        keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys,
        dates: JSONEncoder.DateEncodingStrategy = .waybillISO8601,
        data: JSONEncoder.DataEncodingStrategy = .base64
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = keys
        encoder.dateEncodingStrategy = dates
        encoder.dataEncodingStrategy = data
        self.encoder = encoder
    }

    /// The type of the encoder.
    public var summary: String { "\(type(of: encoder))" }
}
