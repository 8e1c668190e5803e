import WaybillJSON

extension WaybillJSONEncoder.KeyEncodingStrategy {
    /// The strategy's name as written in a declaration.
    package var name: String {
        switch self {
        case .useDefaultKeys: "useDefaultKeys"
        case .convertToSnakeCase: "convertToSnakeCase"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONEncoder.DateEncodingStrategy {
    /// The strategy's name as written in a declaration.
    package var name: String {
        switch self {
        case .deferredToDate: "deferredToDate"
        case .secondsSince1970: "secondsSince1970"
        case .millisecondsSince1970: "millisecondsSince1970"
        case .iso8601: "iso8601"
        case .iso8601WithMilliseconds: "iso8601WithMilliseconds"
        case .formatted: "formatted"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONEncoder.DataEncodingStrategy {
    /// The strategy's name as written in a declaration.
    package var name: String {
        switch self {
        case .deferredToData: "deferredToData"
        case .base64: "base64"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// The strategy's name as written in a declaration.
    package var name: String {
        switch self {
        case .useDefaultKeys: "useDefaultKeys"
        case .convertFromSnakeCase: "convertFromSnakeCase"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// The strategy's name as written in a declaration.
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
    /// The strategy's name as written in a declaration.
    package var name: String {
        switch self {
        case .deferredToData: "deferredToData"
        case .base64: "base64"
        case .custom: "custom"
        }
    }
}
