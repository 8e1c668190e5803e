import WaybillSystem

// Conversions from the strategies of Foundation's `JSONEncoder`.

extension WaybillJSONEncoder.KeyEncodingStrategy {
    /// Creates the equivalent of a `JSONEncoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONEncoder`.
    public init(_ strategy: JSONEncoder.KeyEncodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .useDefaultKeys
        case .convertToSnakeCase: self = .convertToSnakeCase
        case .custom(let convert): self = .custom(convert)
        @unknown default: self = .useDefaultKeys
        }
    }

    /// Returns the converted form of the last key of a coding path.
    package func converting(_ path: [any CodingKey]) -> String {
        let key = path.last?.stringValue ?? ""
        return switch self {
        case .useDefaultKeys: key
        case .convertToSnakeCase: SnakeCase.snakeCase(key)
        case .custom(let convert): convert(path).stringValue
        }
    }
}

extension WaybillJSONEncoder.DateEncodingStrategy {
    /// Creates the equivalent of a `JSONEncoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONEncoder`.
    public init(_ strategy: JSONEncoder.DateEncodingStrategy) {
        switch strategy {
        case .deferredToDate: self = .deferredToDate
        case .secondsSince1970: self = .secondsSince1970
        case .millisecondsSince1970: self = .millisecondsSince1970
        case .iso8601: self = .iso8601
        #if canImport(ObjectiveC)
            case .formatted(let formatter): self = .formatted(formatter)
        #endif
        case .custom(let encode): self = .custom(encode)
        @unknown default:
            self = .custom { date, encoder in
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(
                        codingPath: encoder.codingPath,
                        debugDescription:
                            "WaybillJSONEncoder has no such date strategy; set another."
                    )
                )
            }
        }
    }
}

extension WaybillJSONEncoder.DataEncodingStrategy {
    /// Creates the equivalent of a `JSONEncoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONEncoder`.
    public init(_ strategy: JSONEncoder.DataEncodingStrategy) {
        switch strategy {
        case .deferredToData: self = .deferredToData
        case .base64: self = .base64
        case .custom(let encode): self = .custom(encode)
        @unknown default: self = .base64
        }
    }
}

extension WaybillJSONEncoder.NonConformingFloatEncodingStrategy {
    /// Creates the equivalent of a `JSONEncoder` strategy.
    ///
    /// - Parameter strategy: the strategy of a `JSONEncoder`.
    public init(_ strategy: JSONEncoder.NonConformingFloatEncodingStrategy) {
        switch strategy {
        case .throw: self = .throw
        case .convertToString(let positiveInfinity, let negativeInfinity, let nan):
            self = .convertToString(positiveInfinity: positiveInfinity, negativeInfinity: negativeInfinity, nan: nan)
        @unknown default: self = .throw
        }
    }
}
