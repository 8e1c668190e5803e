import WaybillJSON
import WaybillSystem

extension WaybillJSONEncoder {
    /// Returns an encoder with the given strategies.
    ///
    /// A nil argument keeps the existing strategy.
    package func applying(
        keys: KeyEncodingStrategy?,
        dates: DateEncodingStrategy?,
        data: DataEncodingStrategy? = nil,
        int64: Int64EncodingStrategy? = nil
    ) -> WaybillJSONEncoder {
        var encoder = self
        if let keys { encoder.keyEncodingStrategy = keys }
        if let dates { encoder.dateEncodingStrategy = dates }
        if let data { encoder.dataEncodingStrategy = data }
        if let int64 { encoder.int64EncodingStrategy = int64 }
        return encoder
    }
}

extension JSONEncoder {
    /// A copy of the encoder.
    package var copy: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting
        encoder.keyEncodingStrategy = keyEncodingStrategy
        encoder.dateEncodingStrategy = dateEncodingStrategy
        encoder.dataEncodingStrategy = dataEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        encoder.userInfo = userInfo
        return encoder
    }

    /// Returns a copy of the encoder with the given strategies.
    ///
    /// A nil argument keeps the existing strategy.
    package func applying(
        keys: WaybillJSONEncoder.KeyEncodingStrategy?,
        dates: WaybillJSONEncoder.DateEncodingStrategy?,
        data: WaybillJSONEncoder.DataEncodingStrategy?
    ) -> JSONEncoder {
        let encoder = copy
        if let keys { encoder.keyEncodingStrategy = keys.foundation }
        if let dates { encoder.dateEncodingStrategy = dates.foundation }
        if let data { encoder.dataEncodingStrategy = data.foundation }
        return encoder
    }
}

extension WaybillJSONEncoder.KeyEncodingStrategy {
    fileprivate var foundation: JSONEncoder.KeyEncodingStrategy {
        switch self {
        case .useDefaultKeys: .useDefaultKeys
        case .convertToSnakeCase: .convertToSnakeCase
        case .custom(let convert): .custom(convert)
        }
    }
}

extension WaybillJSONEncoder.DateEncodingStrategy {
    fileprivate var foundation: JSONEncoder.DateEncodingStrategy {
        switch self {
        case .deferredToDate: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .iso8601: .iso8601
        case .iso8601WithMilliseconds: .waybillISO8601
        case .formatted(let text): .text(text)
        case .custom(let encode): .custom(encode)
        }
    }
}

extension WaybillJSONEncoder.DataEncodingStrategy {
    fileprivate var foundation: JSONEncoder.DataEncodingStrategy {
        switch self {
        case .deferredToData: .deferredToData
        case .base64: .base64
        case .custom(let encode): .custom(encode)
        }
    }
}

extension WaybillJSONDecoder {
    /// Returns a decoder with the given strategies.
    ///
    /// A nil argument keeps the existing strategy.
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
    /// Returns a copy of the decoder with the given strategies.
    ///
    /// A nil argument keeps the existing strategy.
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
        // Foundation's strategy of this name rejects fractional seconds.
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
