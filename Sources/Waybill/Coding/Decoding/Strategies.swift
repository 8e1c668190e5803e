import WaybillJSON
import WaybillSystem

extension JSONEncoder {
    /// Returns an encoder with the given strategies replaced.
    ///
    /// A nil strategy leaves the existing one unchanged.
    package func applying(
        keys: KeyEncodingStrategy?,
        dates: DateEncodingStrategy?,
        data: DataEncodingStrategy?
    ) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting
        encoder.keyEncodingStrategy = keys ?? keyEncodingStrategy
        encoder.dateEncodingStrategy = dates ?? dateEncodingStrategy
        encoder.dataEncodingStrategy = data ?? dataEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        encoder.userInfo = userInfo
        return encoder
    }
}

extension WaybillJSONEncoder {
    /// Returns an encoder with the given Foundation strategies replaced.
    ///
    /// A nil strategy leaves the existing one unchanged.
    package func applying(
        keys: JSONEncoder.KeyEncodingStrategy?,
        dates: JSONEncoder.DateEncodingStrategy?,
        data: JSONEncoder.DataEncodingStrategy?
    ) -> WaybillJSONEncoder {
        guard keys != nil || dates != nil || data != nil else { return self }
        var encoder = self
        if let keys { encoder.keyEncodingStrategy = KeyEncodingStrategy(keys) }
        if let dates { encoder.dateEncodingStrategy = DateEncodingStrategy(dates) }
        if let data { encoder.dataEncodingStrategy = DataEncodingStrategy(data) }
        return encoder
    }
}

extension WaybillJSONEncoder.KeyEncodingStrategy {
    fileprivate init(_ strategy: JSONEncoder.KeyEncodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .useDefaultKeys
        case .convertToSnakeCase: self = .convertToSnakeCase
        case .custom(let convert): self = .custom(convert)
        @unknown default: self = .useDefaultKeys
        }
    }
}

extension WaybillJSONEncoder.DateEncodingStrategy {
    fileprivate init(_ strategy: JSONEncoder.DateEncodingStrategy) {
        // This is not a `switch`, because the available cases depend on the platform.
        if case .deferredToDate = strategy {
            self = .deferredToDate
        } else if case .secondsSince1970 = strategy {
            self = .secondsSince1970
        } else if case .millisecondsSince1970 = strategy {
            self = .millisecondsSince1970
        } else if case .iso8601 = strategy {
            self = .iso8601
        } else if case .custom(let encode) = strategy {
            self = .custom(encode)
        } else {
            self = .foundation(strategy)
        }
    }

    /// Returns a strategy that writes the same as Foundation's encoder, such as the output of a `DateFormatter`.
    private static func foundation(_ strategy: JSONEncoder.DateEncodingStrategy) -> Self {
        let json = JSONEncoder()
        json.dateEncodingStrategy = strategy
        return .custom { date, encoder in
            try JSONDefaults.decoder.decode(JSONValue.self, from: json.encode([date]), at: 0).encode(to: encoder)
        }
    }
}

extension WaybillJSONEncoder.DataEncodingStrategy {
    fileprivate init(_ strategy: JSONEncoder.DataEncodingStrategy) {
        switch strategy {
        case .deferredToData: self = .deferredToData
        case .base64: self = .base64
        case .custom(let encode): self = .custom(encode)
        @unknown default: self = .base64
        }
    }
}

extension WaybillJSONDecoder {
    /// Returns a decoder with the given strategies replaced.
    ///
    /// A nil strategy leaves the existing one unchanged.
    package func applying(
        keys: KeyDecodingStrategy?,
        dates: DateDecodingStrategy?,
        data: DataDecodingStrategy?,
        int64: Int64DecodingStrategy?,
        loneSurrogates: LoneSurrogateDecodingStrategy?
    ) -> WaybillJSONDecoder {
        var decoder = self
        if let keys { decoder.keyDecodingStrategy = keys }
        if let dates { decoder.dateDecodingStrategy = dates }
        if let data { decoder.dataDecodingStrategy = data }
        if let int64 { decoder.int64DecodingStrategy = int64 }
        if let loneSurrogates { decoder.loneSurrogateDecodingStrategy = loneSurrogates }
        return decoder
    }
}

extension JSONDecoder {
    /// Returns a decoder with the given strategies replaced.
    ///
    /// A nil strategy leaves the existing one unchanged.
    package func applying(
        keys: WaybillJSONDecoder.KeyDecodingStrategy?,
        dates: WaybillJSONDecoder.DateDecodingStrategy?,
        data: WaybillJSONDecoder.DataDecodingStrategy?
    ) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys?.foundation ?? keyDecodingStrategy
        decoder.dateDecodingStrategy = dates?.foundation ?? dateDecodingStrategy
        decoder.dataDecodingStrategy = data?.foundation ?? dataDecodingStrategy
        decoder.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        decoder.allowsJSON5 = allowsJSON5
        decoder.assumesTopLevelDictionary = assumesTopLevelDictionary
        decoder.userInfo = userInfo
        return decoder
    }
}

extension WaybillJSONDecoder.KeyDecodingStrategy {
    fileprivate var foundation: JSONDecoder.KeyDecodingStrategy {
        switch self {
        case .useDefaultKeys: .useDefaultKeys
        case .convertFromSnakeCase: .convertFromSnakeCase
        case .custom(let convert): .custom(convert)
        }
    }
}

extension WaybillJSONDecoder.DateDecodingStrategy {
    fileprivate var foundation: JSONDecoder.DateDecodingStrategy {
        switch self {
        case .deferredToDate: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        // Foundation's strategy with this name does not accept fractional seconds.
        case .iso8601: .waybillISO8601
        case .formatted(let date): .formatted(date)
        case .custom(let decode): .custom(decode)
        }
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Returns a strategy that parses strings with a function.
    fileprivate static func formatted(_ date: @escaping @Sendable (String) -> Date?) -> Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = try date(container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "The date does not have the format that the formatter expects."
                )
            }
            return date
        }
    }
}

extension WaybillJSONDecoder.DataDecodingStrategy {
    fileprivate var foundation: JSONDecoder.DataDecodingStrategy {
        switch self {
        case .deferredToData: .deferredToData
        case .base64: .base64
        case .custom(let decode): .custom(decode)
        }
    }
}

extension JSONEncoder.KeyEncodingStrategy {
    /// The strategy's name in a declaration.
    package var name: String {
        switch self {
        case .useDefaultKeys: "useDefaultKeys"
        case .convertToSnakeCase: "convertToSnakeCase"
        default: "custom"
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// The strategy's name in a declaration.
    package var name: String {
        switch self {
        case .deferredToDate: "deferredToDate"
        case .secondsSince1970: "secondsSince1970"
        case .millisecondsSince1970: "millisecondsSince1970"
        case .iso8601: "iso8601"
        default: "custom"
        }
    }
}

extension JSONEncoder.DataEncodingStrategy {
    /// The strategy's name in a declaration.
    package var name: String {
        switch self {
        case .deferredToData: "deferredToData"
        case .base64: "base64"
        default: "custom"
        }
    }
}

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// The strategy's name in a declaration.
    package var name: String {
        switch self {
        case .useDefaultKeys: "useDefaultKeys"
        case .convertFromSnakeCase: "convertFromSnakeCase"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// The strategy's name in a declaration.
    package var name: String {
        switch self {
        case .deferredToDate: "deferredToDate"
        case .secondsSince1970: "secondsSince1970"
        case .millisecondsSince1970: "millisecondsSince1970"
        case .iso8601: "iso8601"
        case .formatted: "formatted"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONDecoder.DataDecodingStrategy {
    /// The strategy's name in a declaration.
    package var name: String {
        switch self {
        case .deferredToData: "deferredToData"
        case .base64: "base64"
        case .custom: "custom"
        }
    }
}
