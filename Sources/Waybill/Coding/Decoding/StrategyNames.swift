import WaybillJSON
import WaybillSystem

extension JSONEncoder.KeyEncodingStrategy {
    /// The strategy as a declaration writes it.
    package var name: String {
        switch self {
        case .useDefaultKeys: "useDefaultKeys"
        case .convertToSnakeCase: "convertToSnakeCase"
        default: "custom"
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// The strategy as a declaration writes it.
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
    /// The strategy as a declaration writes it.
    package var name: String {
        switch self {
        case .deferredToData: "deferredToData"
        case .base64: "base64"
        default: "custom"
        }
    }
}

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// The strategy as a declaration writes it.
    package var name: String {
        switch self {
        case .useDefaultKeys: "useDefaultKeys"
        case .convertFromSnakeCase: "convertFromSnakeCase"
        case .custom: "custom"
        }
    }
}

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// The strategy as a declaration writes it.
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
    /// The strategy as a declaration writes it.
    package var name: String {
        switch self {
        case .deferredToData: "deferredToData"
        case .base64: "base64"
        case .custom: "custom"
        }
    }
}
