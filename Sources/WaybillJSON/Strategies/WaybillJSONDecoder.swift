import Foundation

/// Decodes `Decodable` types from JSON: Foundation's `JSONDecoder`, faster and stricter.
///
/// ```swift
/// var decoder = WaybillJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// decoder.dateDecodingStrategy = .iso8601
/// let products = try decoder.decode([Product].self, from: data, at: "data", "items")
/// ```
///
/// It is a value: a copy can be changed without the original, and any number of threads can use one at once, without a
/// lock.
///
/// A document is accepted or refused whole, whatever of it is read (RFC 8259). Of members with the same key the first
/// one counts. Numbers are rounded correctly to `Double` and `Float`; any other loss is an error.
public struct WaybillJSONDecoder: Sendable {
    var strategies = DecodingStrategies()

    /// Creates a decoder with the strategies that Foundation's has at first.
    public init() {}

    /// How dates are read; as numbers of seconds since 2001 at first.
    public var dateDecodingStrategy: DateDecodingStrategy {
        get { strategies.dates }
        set { strategies.dates = newValue }
    }

    /// How `Data` is read; from Base64 at first.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { strategies.data }
        set { strategies.data = newValue }
    }

    /// How the keys of objects become those of coding keys; unchanged at first.
    public var keyDecodingStrategy: KeyDecodingStrategy {
        get { strategies.keys }
        set { strategies.keys = newValue }
    }

    /// Whether strings can stand for infinities and NaN; not at first.
    public var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { strategies.nonConformingFloats }
        set { strategies.nonConformingFloats = newValue }
    }

    /// What types find in `Decoder.userInfo` when they decode themselves.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { strategies.userInfo }
        set { strategies.userInfo = newValue }
    }

    /// How many arrays and objects may lie in each other; 512 at first.
    ///
    /// A document that is nested deeper is refused with `DecodingError.dataCorrupted`. Reading does not recurse, whatever
    /// the depth; types that decode themselves do.
    public var maximumDepth: Int {
        get { strategies.maximumDepth }
        set { strategies.maximumDepth = newValue }
    }
}
