import WaybillJSON
import WaybillSystem

/// The decoder for response bodies.
///
/// ```swift
/// Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
/// Decode(with: PropertyListDecoder())
/// Decode.none              // Waybill's defaults, even if an outer scope declares others
/// ```
///
/// By default, `WaybillJSONDecoder` decodes JSON with ISO 8601 dates. `Decode(with: JSONDecoder())` selects
/// Foundation's decoder with its default strategies. Nested scopes combine their strategies: a resource that declares a
/// date strategy keeps its client's key strategy.
///
/// The strategies are those of `WaybillJSONDecoder`; for requests, use ``Encode``. A strategy from Foundation's decoder
/// can be converted: `Decode(dates: .init(decoder.dateDecodingStrategy))`.
public struct Decode: Setting {
    /// The decoder.
    public private(set) var decoder: any ResponseDecoder

    /// The strategies of this clause and the outer clauses; nil if undeclared.
    private var keys: WaybillJSONDecoder.KeyDecodingStrategy?
    private var dates: WaybillJSONDecoder.DateDecodingStrategy?
    private var data: WaybillJSONDecoder.DataDecodingStrategy?
    private var int64: WaybillJSONDecoder.Int64DecodingStrategy?
    private var loneSurrogates: WaybillJSONDecoder.LoneSurrogateDecodingStrategy?

    /// Whether the clause declares a decoder rather than strategies.
    private var isWhole = false

    /// The error for strategies that the outer decoder does not support.
    package private(set) var declarationError: Scope.DeclarationError?

    /// Waybill's defaults, overriding the decoder and strategies of outer scopes.
    public static let none = Decode(with: JSONDefaults.decoder)

    /// Declares a decoder, replacing the outer scope's decoder and strategies.
    ///
    /// - Parameter decoder: a decoder for the whole body, in any format.
    public init(with decoder: some ResponseDecoder) { (self.decoder, isWhole) = (decoder, true) }

    /// Declares strategies for decoding JSON.
    ///
    /// Omitted ones are inherited from the outer scope or keep their defaults.
    ///
    /// The outer decoder must be a `WaybillJSONDecoder` or a `JSONDecoder`; strategies for integers and lone surrogates
    /// require a `WaybillJSONDecoder`. Otherwise, they cause a declaration error, and nothing is sent.
    ///
    /// - Parameters:
    ///   - keys: the conversion of keys; by default, none.
    ///   - dates: the format of dates; by default, ISO 8601.
    ///   - data: the format of `Data`; by default, Base64.
    ///   - int64: the format of `Int64` and `UInt64`; by default, numbers. `.convertFromString` accepts both numbers
    ///     and strings, as in the Protocol Buffers JSON format.
    ///   - loneSurrogates: the handling of strings that the server truncated in the middle of a character, such as
    ///     `"cut \ud83d"`; by default, an error. `.replace` replaces the lone surrogate with U+FFFD.
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

    /// Returns this clause if it declares a decoder; otherwise, the outer clause with this clause's strategies applied.
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

    /// The type of the declared decoder, and the strategies.
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

    /// The values whose declared strategy `JSONDecoder` does not support, and the matching `WaybillJSONDecoder`
    /// property.
    private var unsupported: (values: String, property: String) {
        int64 == .convertFromString
            ? ("integers", "int64DecodingStrategy") : ("lone surrogates", "loneSurrogateDecodingStrategy")
    }

    private func declarationError(beside outer: Decode) -> Scope.DeclarationError {
        if type(of: outer.decoder) == JSONDecoder.self {
            return Scope.DeclarationError(
                clause: "Decode",
                value: strategies,
                reason: "the JSONDecoder of an outer scope has no strategy for \(unsupported.values); declare"
                    + " Decode(with: WaybillJSONDecoder()) there, or here with its \(unsupported.property)"
            )
        }
        return Scope.DeclarationError(
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
        [
            ("keys", keys != nil), ("dates", dates != nil), ("data", data != nil), ("int64", int64 != nil),
            ("loneSurrogates", loneSurrogates != nil),
        ].filter(\.1).map(\.0)
    }
}
