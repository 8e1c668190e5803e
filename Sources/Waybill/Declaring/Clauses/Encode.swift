import WaybillJSON
import WaybillSystem

/// The encoder for the bodies of requests.
///
/// ```swift
/// Encode(keys: .convertToSnakeCase)
/// Encode(contentType: "application/vnd.api+json")
/// Encode(with: encoder)
/// ```
///
/// Without it, JSON is written with ISO 8601 dates and with sorted keys, so that the same call gives the same bytes;
/// UUIDs are in lower case (RFC 9562, section 4).
/// Strategies add up: a resource that declares its dates keeps the keys that its client declares.
public struct Encode: Setting {
    /// The strategy for `Int64` and `UInt64`.
    public enum Int64EncodingStrategy: Sendable, Hashable {
        /// Numbers, which JavaScript and others read with a loss from 2^53 on.
        case number
        /// Strings, as JSON of Protocol Buffers has them. `Int` and the smaller types stay numbers.
        case convertToString

        /// The strategy of an encoder.
        fileprivate var ofEncoder: WaybillJSONEncoder.Int64EncodingStrategy {
            switch self {
            case .number: .number
            case .convertToString: .convertToString
            }
        }
    }

    /// The encoder.
    public let encoder: any RequestEncoder

    /// The strategies of this clause and of the outer ones that it was merged over; nil for those not given.
    private let keys: JSONEncoder.KeyEncodingStrategy?
    private let dates: JSONEncoder.DateEncodingStrategy?
    private let data: JSONEncoder.DataEncodingStrategy?
    private let int64: Int64EncodingStrategy?

    /// The media type that is declared for the JSON; nil for the encoder's own.
    package let declaredContentType: String?

    /// Whether the clause gives an encoder, not strategies.
    private let isWhole: Bool

    /// The error of strategies for an encoder that has none of that kind.
    package let declarationError: DeclarationError?

    /// Replaces an outer scope's encoder and all its strategies.
    ///
    /// - Parameter encoder: the encoder.
    public init(with encoder: some RequestEncoder) {
        self.init(encoder, isWhole: true)
    }

    /// Replaces an outer scope's encoder and all its strategies by an encoder of Foundation.
    ///
    /// It orders keys at random unless it sorts them: the bytes are others each time. It writes UUIDs in upper case.
    ///
    /// - Parameter encoder: the encoder.
    public init(with encoder: JSONEncoder) {
        self.init(JSONRequestEncoder(encoder), isWhole: true)
    }

    /// Replaces an outer scope's encoder and all its strategies by an encoder with settings of your own.
    ///
    /// Clauses with strategies in inner scopes change it.
    ///
    /// - Parameter encoder: the encoder.
    public init(with encoder: WaybillJSONEncoder) {
        self.init(JSONRequestEncoder(encoder), isWhole: true)
    }

    /// Declares JSON with other strategies; those not given stay the outer scope's, or Waybill's.
    ///
    /// Beside an outer encoder that is neither a `WaybillJSONEncoder` nor a `JSONEncoder` it is a declaration error:
    /// nothing with a body is sent.
    ///
    /// - Parameters:
    ///   - keys: the names of properties; unchanged unless declared.
    ///   - dates: the form of dates; ISO 8601 unless declared. ``FormStyle/Dates`` has more forms.
    ///   - data: the form of `Data`; Base64 unless declared.
    ///   - int64: the form of `Int64` and `UInt64`; numbers unless declared.
    ///   - contentType: the media type of the JSON; unless declared, `application/json`, and for a patch
    ///     `application/merge-patch+json`.
    public init(
        keys: JSONEncoder.KeyEncodingStrategy? = nil,
        dates: JSONEncoder.DateEncodingStrategy? = nil,
        data: JSONEncoder.DataEncodingStrategy? = nil,
        int64: Int64EncodingStrategy? = nil,
        contentType: String? = nil
    ) {
        let encoder = JSONDefaults.requestEncoder
        self.init(
            encoder.applying(keys: keys, dates: dates, data: data, int64: int64?.ofEncoder) ?? encoder,
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
        keys: JSONEncoder.KeyEncodingStrategy? = nil,
        dates: JSONEncoder.DateEncodingStrategy? = nil,
        data: JSONEncoder.DataEncodingStrategy? = nil,
        int64: Int64EncodingStrategy? = nil,
        contentType: String? = nil,
        isWhole: Bool,
        declarationError: DeclarationError? = nil
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

    /// Returns this encoder, or the outer one with these strategies.
    ///
    /// - Parameter outer: the encoder of the outer scope.
    /// - Returns: the merged encoder.
    public func merged(over outer: Encode) -> Encode {
        if isWhole { return self }
        guard let outerJSON = outer.encoder as? JSONRequestEncoder,
            let encoder = outerJSON.applying(keys: keys, dates: dates, data: data, int64: int64?.ofEncoder)
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

    /// The media type of a body.
    package var contentType: String { declaredContentType ?? encoder.contentType }

    /// Whether the clause declares the media type of bodies, other than plain JSON.
    package var statesContentType: Bool {
        declaredContentType != nil || (isWhole && encoder.contentType != JSONRequestEncoder.mediaType)
    }

    /// The encoder of an outer `Encode(with:)`, and the strategies.
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

    private func declarationError(beside outer: Encode) -> DeclarationError {
        DeclarationError(
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
            // A media type is no strategy that an encoder could have.
            takesStrategies: whole.encoder is JSONRequestEncoder && other.declaredContentType == nil
        )
    }

    /// The labels of the strategies, in the order of the initializer.
    private var labels: [String] {
        [
            ("keys", keys != nil), ("dates", dates != nil), ("data", data != nil), ("int64", int64 != nil),
            ("contentType", declaredContentType != nil),
        ].filter(\.1).map(\.0)
    }
}
