import WaybillJSON
import WaybillSystem

/// The decoder for the bodies of responses.
///
/// ```swift
/// Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
/// Decode(with: PropertyListDecoder())
/// ```
///
/// Without it, JSON is decoded by `WaybillJSONDecoder`, with ISO 8601 dates. `Decode(with: JSONDecoder())` goes back to
/// Foundation's decoder and the dates that it has at first. Strategies add up: a resource that declares its dates keeps
/// the keys that its client declares.
public struct Decode: Setting {
    /// The decoder.
    public let decoder: any ResponseDecoder

    /// The strategies of this clause and of the outer ones that it was merged over; nil for those not given.
    private let keys: WaybillJSONDecoder.KeyDecodingStrategy?
    private let dates: WaybillJSONDecoder.DateDecodingStrategy?
    private let data: WaybillJSONDecoder.DataDecodingStrategy?
    private let int64: WaybillJSONDecoder.Int64DecodingStrategy?

    /// Whether the clause gives a decoder, not strategies.
    private let isWhole: Bool

    /// The error of strategies for a decoder that has none of that kind.
    package let declarationError: DeclarationError?

    /// Replaces an outer scope's decoder and all its strategies.
    public init(with decoder: some ResponseDecoder) { self.init(decoder, isWhole: true) }

    /// Declares JSON with other strategies; those not given stay the outer scope's, or Waybill's.
    ///
    /// Beside an outer decoder that is neither a `WaybillJSONDecoder` nor a `JSONDecoder` it is a declaration error,
    /// and so is a strategy for integers beside a `JSONDecoder`, which has none: nothing is sent.
    ///
    /// - Parameters:
    ///   - keys: the keys of properties; unchanged unless declared.
    ///   - dates: the form of dates; ISO 8601 unless declared.
    ///   - data: the form of `Data`; Base64 unless declared.
    ///   - int64: the form of `Int64` and `UInt64`; numbers unless declared. JSON of Protocol Buffers has strings:
    ///     `.convertFromString` takes both.
    public init(
        keys: WaybillJSONDecoder.KeyDecodingStrategy? = nil,
        dates: WaybillJSONDecoder.DateDecodingStrategy? = nil,
        data: WaybillJSONDecoder.DataDecodingStrategy? = nil,
        int64: WaybillJSONDecoder.Int64DecodingStrategy? = nil
    ) {
        let decoder = JSONDefaults.decoder.applying(keys: keys, dates: dates, data: data, int64: int64)
        self.init(decoder, keys: keys, dates: dates, data: data, int64: int64, isWhole: false)
    }

    private init(
        _ decoder: any ResponseDecoder,
        keys: WaybillJSONDecoder.KeyDecodingStrategy? = nil,
        dates: WaybillJSONDecoder.DateDecodingStrategy? = nil,
        data: WaybillJSONDecoder.DataDecodingStrategy? = nil,
        int64: WaybillJSONDecoder.Int64DecodingStrategy? = nil,
        isWhole: Bool,
        declarationError: DeclarationError? = nil
    ) {
        self.decoder = decoder
        self.keys = keys
        self.dates = dates
        self.data = data
        self.int64 = int64
        self.isWhole = isWhole
        self.declarationError = declarationError
    }

    /// Returns this decoder, or the outer one with these strategies.
    public func merged(over outer: Decode) -> Decode {
        if isWhole { return self }
        let merged: any ResponseDecoder
        if let decoder = outer.decoder as? WaybillJSONDecoder {
            merged = decoder.applying(keys: keys, dates: dates, data: data, int64: int64)
        } else if int64 != .convertFromString, let decoder = outer.decoder as? JSONDecoder,
            type(of: decoder) == JSONDecoder.self
        {
            merged = decoder.applying(keys: keys, dates: dates, data: data)
        } else {
            return Decode(
                outer.decoder,
                isWhole: outer.isWhole,
                declarationError: declarationError(beside: outer)
            )
        }
        return Decode(
            merged,
            keys: keys ?? outer.keys,
            dates: dates ?? outer.dates,
            data: data ?? outer.data,
            int64: int64 ?? outer.int64,
            isWhole: outer.isWhole,
            declarationError: outer.declarationError
        )
    }

    /// The decoder of an outer `Decode(with:)`, and the strategies.
    public var summary: String {
        let strategies = strategies
        return isWhole || strategies.isEmpty
            ? ["\(type(of: decoder))", strategies].filter { !$0.isEmpty }.joined(separator: ", ") : strategies
    }

    private var strategies: String {
        [
            keys.map { "keys \($0.name)" }, dates.map { "dates \($0.name)" }, data.map { "data \($0.name)" },
            int64.map { "int64 \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }

    private func declarationError(beside outer: Decode) -> DeclarationError {
        if type(of: outer.decoder) == JSONDecoder.self {
            return DeclarationError(
                clause: "Decode",
                value: strategies,
                reason: "the JSONDecoder of an outer scope has no strategy for integers; declare"
                    + " Decode(with: WaybillJSONDecoder()) there, or here with its int64DecodingStrategy"
            )
        }
        return DeclarationError(
            clause: "Decode",
            value: strategies,
            reason: "strategies are for JSON, and an outer scope decodes with \(type(of: outer.decoder));"
                + " declare the decoder here too: Decode(with: …)"
        )
    }
}
