import WaybillSystem

// Conversions from the strategies of Foundation's `JSONDecoder`.

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// Creates the equivalent of a `JSONDecoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONDecoder`.
    public init(_ strategy: JSONDecoder.KeyDecodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .useDefaultKeys
        case .convertFromSnakeCase: self = .convertFromSnakeCase
        case .custom(let convert): self = .custom(convert)
        @unknown default: self = .useDefaultKeys
        }
    }
}

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// Creates the equivalent of a `JSONDecoder` strategy.
    ///
    /// Unlike Foundation's strategy, ``iso8601`` also accepts fractions of a second.
    ///
    /// - Parameter strategy: the strategy of a `JSONDecoder`.
    public init(_ strategy: JSONDecoder.DateDecodingStrategy) {
        switch strategy {
        case .deferredToDate: self = .deferredToDate
        case .secondsSince1970: self = .secondsSince1970
        case .millisecondsSince1970: self = .millisecondsSince1970
        case .iso8601: self = .iso8601
        #if canImport(ObjectiveC)
            case .formatted(let formatter): self = .formatted(formatter)
        #endif
        case .custom(let decode): self = .custom(decode)
        @unknown default:
            self = .custom { decoder in
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription:
                            "WaybillJSONDecoder has no such date strategy; set another."
                    )
                )
            }
        }
    }
}

extension WaybillJSONDecoder.DataDecodingStrategy {
    /// Creates the equivalent of a `JSONDecoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONDecoder`.
    public init(_ strategy: JSONDecoder.DataDecodingStrategy) {
        switch strategy {
        case .deferredToData: self = .deferredToData
        case .base64: self = .base64
        case .custom(let decode): self = .custom(decode)
        @unknown default: self = .base64
        }
    }
}

extension WaybillJSONDecoder.NonConformingFloatDecodingStrategy {
    /// Creates the equivalent of a `JSONDecoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONDecoder`.
    public init(_ strategy: JSONDecoder.NonConformingFloatDecodingStrategy) {
        switch strategy {
        case .throw: self = .throw
        case .convertFromString(let positiveInfinity, let negativeInfinity, let nan):
            self = .convertFromString(positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan)
        @unknown default: self = .throw
        }
    }
}
