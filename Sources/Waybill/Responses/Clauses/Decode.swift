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
    public private(set) var decoder: any ResponseDecoder

    /// The strategies of this clause and of the outer ones that it was merged over; nil for those not given.
    private var keys: WaybillJSONDecoder.KeyDecodingStrategy?
    private var dates: WaybillJSONDecoder.DateDecodingStrategy?
    private var data: WaybillJSONDecoder.DataDecodingStrategy?
    private var int64: WaybillJSONDecoder.Int64DecodingStrategy?
    private var loneSurrogates: WaybillJSONDecoder.LoneSurrogateDecodingStrategy?

    /// Whether the clause gives a decoder, not strategies.
    private var isWhole = false

    /// The error of strategies for a decoder that has none of that kind.
    package private(set) var declarationError: DeclarationError?

    /// Replaces an outer scope's decoder and all its strategies.
    ///
    /// - Parameter decoder: the decoder of any format, which decodes the whole body.
    public init(with decoder: some ResponseDecoder) { (self.decoder, isWhole) = (decoder, true) }

    /// Declares JSON with other strategies; those not given stay the outer scope's, or Waybill's.
    ///
    /// Beside an outer decoder that is neither a `WaybillJSONDecoder` nor a `JSONDecoder` it is a declaration error,
    /// and so is a strategy for integers or lone surrogates beside a `JSONDecoder`, which has none: nothing is sent.
    ///
    /// - Parameters:
    ///   - keys: the keys of properties; unchanged unless declared.
    ///   - dates: the form of dates; ISO 8601 unless declared.
    ///   - data: the form of `Data`; Base64 unless declared.
    ///   - int64: the form of `Int64` and `UInt64`; numbers unless declared. JSON of Protocol Buffers has strings:
    ///     `.convertFromString` takes both.
    ///   - loneSurrogates: the result of a text that a server has cut within a character, such as `"cut \ud83d"`: an
    ///     error unless declared; `.replace` for U+FFFD in place of the half.
    public init(
        keys: WaybillJSONDecoder.KeyDecodingStrategy? = nil,
        dates: WaybillJSONDecoder.DateDecodingStrategy? = nil,
        data: WaybillJSONDecoder.DataDecodingStrategy? = nil,
        int64: WaybillJSONDecoder.Int64DecodingStrategy? = nil,
        loneSurrogates: WaybillJSONDecoder.LoneSurrogateDecodingStrategy? = nil
    ) {
        (decoder, self.keys, self.dates, self.data) = (JSONDefaults.decoder, keys, dates, data)
        (self.int64, self.loneSurrogates) = (int64, loneSurrogates)
        decoder = applied(to: JSONDefaults.decoder)
    }

    /// Returns this decoder, or the outer one with these strategies.
    ///
    /// - Parameter outer: the clause of the outer scope.
    /// - Returns: the merged clause.
    public func merged(over outer: Decode) -> Decode {
        if isWhole { return self }
        var merged = outer
        if let decoder = outer.decoder as? WaybillJSONDecoder {
            merged.decoder = applied(to: decoder)
        } else if int64 != .convertFromString, loneSurrogates != .replace, let decoder = outer.decoder as? JSONDecoder,
            type(of: decoder) == JSONDecoder.self
        {
            merged.decoder = decoder.applying(keys: keys, dates: dates, data: data)
        } else {
            merged.declarationError = declarationError(beside: outer)
            return merged
        }
        merged.keys = keys ?? outer.keys
        merged.dates = dates ?? outer.dates
        merged.data = data ?? outer.data
        merged.int64 = int64 ?? outer.int64
        merged.loneSurrogates = loneSurrogates ?? outer.loneSurrogates
        return merged
    }

    private func applied(to decoder: WaybillJSONDecoder) -> WaybillJSONDecoder {
        decoder.applying(keys: keys, dates: dates, data: data, int64: int64, loneSurrogates: loneSurrogates)
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
            int64.map { "int64 \($0)" }, loneSurrogates.map { "loneSurrogates \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// The values without a strategy in `JSONDecoder`, and the property of `WaybillJSONDecoder` for them.
    private var unsupported: (values: String, property: String) {
        int64 == .convertFromString
            ? ("integers", "int64DecodingStrategy") : ("lone surrogates", "loneSurrogateDecodingStrategy")
    }

    private func declarationError(beside outer: Decode) -> DeclarationError {
        if type(of: outer.decoder) == JSONDecoder.self {
            return DeclarationError(
                clause: "Decode",
                value: strategies,
                reason: "the JSONDecoder of an outer scope has no strategy for \(unsupported.values); declare"
                    + " Decode(with: WaybillJSONDecoder()) there, or here with its \(unsupported.property)"
            )
        }
        return DeclarationError(
            clause: "Decode",
            value: strategies,
            reason: "strategies are for JSON, and an outer scope decodes with \(type(of: outer.decoder));"
                + " declare here, in place of the strategies, a decoder that has them: Decode(with: …)"
        )
    }
}

extension Decode: CombinableSetting {
    package func adviceToCombine(with earlier: Decode) -> String? {
        let decoder = isWhole ? decoder : earlier.decoder
        return CodingAdvice.text(
            "Decode",
            earlier.isWhole ? nil : earlier.labels,
            isWhole ? nil : labels,
            coder: "decoder",
            takesStrategies: decoder is WaybillJSONDecoder || decoder is JSONDecoder
        )
    }

    /// The labels of the strategies, in the order of the initializer.
    private var labels: [String] {
        [("keys", keys != nil), ("dates", dates != nil), ("data", data != nil), ("int64", int64 != nil)]
            .filter(\.1).map(\.0)
    }
}
