import WaybillJSON
import WaybillSystem

/// The encoder for request bodies.
///
/// ```swift
/// Encode(keys: .convertToSnakeCase)
/// Encode(contentType: "application/vnd.api+json")
/// Encode(with: encoder)
/// Encode.none              // Waybill's defaults, even if an outer scope declares others
/// ```
///
/// Without this clause, bodies are JSON with ISO 8601 dates, lowercase UUIDs (RFC 9562, section 4) and sorted keys, so
/// that equal calls send equal bytes. Strategies accumulate across scopes: a resource that declares a date strategy
/// inherits its client's key strategy.
///
/// The strategies are those of `WaybillJSONEncoder`; ``Decode`` is the counterpart for responses. To use a strategy of
/// Foundation's encoder, convert it: `Encode(dates: .init(encoder.dateEncodingStrategy))`. To wrap values
/// in keys or to send forms, use ``Body/Format``.
public struct Encode: Setting {
    /// The encoder.
    public let encoder: any RequestEncoder

    /// The strategies of this clause and of the outer clauses it was merged over; nil if not declared.
    private let keys: WaybillJSONEncoder.KeyEncodingStrategy?
    private let dates: WaybillJSONEncoder.DateEncodingStrategy?
    private let data: WaybillJSONEncoder.DataEncodingStrategy?
    private let int64: WaybillJSONEncoder.Int64EncodingStrategy?

    /// The declared media type of the JSON; nil to use the encoder's.
    package let declaredContentType: String?

    /// Whether the clause replaces the encoder instead of declaring strategies.
    private let isWhole: Bool

    /// The error for strategies that the outer scope's encoder does not support.
    package let declarationError: Scope.DeclarationError?

    /// Waybill's defaults, even if an outer scope declares an encoder or strategies.
    public static let none = Encode(JSONDefaults.requestEncoder, isWhole: true)

    /// Replaces the outer scope's encoder and all its strategies.
    ///
    /// - Parameter encoder: the encoder.
    public init(with encoder: some RequestEncoder) {
        self.init(encoder, isWhole: true)
    }

    /// Replaces the outer scope's encoder and all its strategies with a Foundation encoder.
    ///
    /// A Foundation encoder writes UUIDs in uppercase. Unless it sorts keys, their order is random, so equal calls can
    /// send different bytes.
    ///
    /// - Parameter encoder: the encoder.
    public init(with encoder: JSONEncoder) {
        self.init(JSONRequestEncoder(encoder), isWhole: true)
    }

    /// Replaces the outer scope's encoder and all its strategies with a configured Waybill encoder.
    ///
    /// Strategies declared in inner scopes apply to this encoder.
    ///
    /// - Parameter encoder: the encoder.
    public init(with encoder: WaybillJSONEncoder) {
        self.init(JSONRequestEncoder(encoder), isWhole: true)
    }

    /// Declares strategies for JSON.
    ///
    /// Omitted strategies are inherited from the outer scope, or default to Waybill's.
    ///
    /// If the outer scope's encoder is neither a `WaybillJSONEncoder` nor a `JSONEncoder`, or is a subclass of
    /// `JSONEncoder`, this is a declaration error, and no request with a body is sent.
    ///
    /// - Parameters:
    ///   - keys: the strategy for property names; unchanged by default.
    ///   - dates: the format of dates; ISO 8601 with milliseconds by default.
    ///   - data: the format of `Data`; Base64 by default.
    ///   - int64: the format of `Int64` and `UInt64`; numbers by default.
    ///   - contentType: the media type of the JSON; by default `application/json`, or `application/merge-patch+json`
    ///     for a patch.
    public init(
        keys: WaybillJSONEncoder.KeyEncodingStrategy? = nil,
        dates: WaybillJSONEncoder.DateEncodingStrategy? = nil,
        data: WaybillJSONEncoder.DataEncodingStrategy? = nil,
        int64: WaybillJSONEncoder.Int64EncodingStrategy? = nil,
        contentType: String? = nil
    ) {
        let encoder = JSONDefaults.requestEncoder
        self.init(
            encoder.applying(keys: keys, dates: dates, data: data, int64: int64) ?? encoder,
            keys: keys,
            dates: dates,
            data: data,
            int64: int64,
            contentType: contentType,
            isWhole: false
        )
    }

    private init(
        _ encoder: any RequestEncoder,
        keys: WaybillJSONEncoder.KeyEncodingStrategy? = nil,
        dates: WaybillJSONEncoder.DateEncodingStrategy? = nil,
        data: WaybillJSONEncoder.DataEncodingStrategy? = nil,
        int64: WaybillJSONEncoder.Int64EncodingStrategy? = nil,
        contentType: String? = nil,
        isWhole: Bool,
        declarationError: Scope.DeclarationError? = nil
    ) {
        self.encoder = encoder
        self.keys = keys
        self.dates = dates
        self.data = data
        self.int64 = int64
        declaredContentType = contentType
        self.isWhole = isWhole
        self.declarationError = declarationError
    }

    /// Returns this clause if it replaces the encoder; otherwise, the outer clause with these strategies applied.
    ///
    /// - Parameter outer: the clause of the outer scope.
    /// - Returns: the merged clause.
    public func merged(over outer: Encode) -> Encode {
        if isWhole { return self }
        guard let outerJSON = outer.encoder as? JSONRequestEncoder,
            let encoder = outerJSON.applying(keys: keys, dates: dates, data: data, int64: int64)
        else {
            return Encode(
                outer.encoder,
                isWhole: outer.isWhole,
                declarationError: declarationError(beside: outer)
            )
        }
        return Encode(
            encoder,
            keys: keys ?? outer.keys,
            dates: dates ?? outer.dates,
            data: data ?? outer.data,
            int64: int64 ?? outer.int64,
            contentType: declaredContentType ?? outer.declaredContentType,
            isWhole: outer.isWhole,
            declarationError: outer.declarationError
        )
    }

    /// The media type of encoded bodies.
    package var contentType: String { declaredContentType ?? encoder.contentType }

    /// Whether the clause declares a media type, or replaces the encoder with one for a format other than plain JSON.
    package var statesContentType: Bool {
        declaredContentType != nil || (isWhole && encoder.contentType != JSONRequestEncoder.mediaType)
    }

    /// The type of an encoder declared with `Encode(with:)`, and the strategies.
    public var summary: String {
        let strategies = strategies
        return isWhole || strategies.isEmpty
            ? [encoder.typeName, strategies].filter { !$0.isEmpty }.joined(separator: ", ") : strategies
    }

    private var strategies: String {
        [
            keys.map { "keys \($0.name)" }, dates.map { "dates \($0.name)" }, data.map { "data \($0.name)" },
            int64.map { "int64 \($0)" }, declaredContentType,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    private func declarationError(beside outer: Encode) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Encode",
            value: strategies,
            reason: "strategies are for JSON, and an outer scope encodes with \(outer.encoder.typeName);"
                + " declare here, in place of the strategies, an encoder that has them: Encode(with: …)"
        )
    }
}

extension Encode: CombinableSetting {
    package func adviceToCombine(with earlier: Encode) -> String? {
        let (whole, other) = isWhole ? (self, earlier) : (earlier, self)
        return CodingAdvice.text(
            "Encode",
            earlier.isWhole ? nil : earlier.labels,
            isWhole ? nil : labels,
            coder: "encoder",
            // The media type cannot be set on an encoder.
            takesStrategies: whole.encoder is JSONRequestEncoder && other.declaredContentType == nil
        )
    }

    /// The labels of the declared strategies, in the initializer's order.
    private var labels: [String] {
        [
            ("keys", keys != nil), ("dates", dates != nil), ("data", data != nil), ("int64", int64 != nil),
            ("contentType", declaredContentType != nil),
        ].filter(\.1).map(\.0)
    }
}
