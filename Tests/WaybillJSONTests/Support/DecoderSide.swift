import Foundation
import WaybillJSON

/// One of the two compared decoders.
enum DecoderSide: Sendable {
    case foundation
    case waybill

    func decode<T: Decodable>(_ type: T.Type, from data: Data, _ settings: DecoderSettings = .init()) throws -> T {
        switch self {
        case .foundation: try JSONDecoder(settings).decode(type, from: data)
        case .waybill: try WaybillJSONDecoder(settings).decode(type, from: data)
        }
    }
}

extension JSONDecoder {
    convenience init(_ settings: DecoderSettings) {
        self.init()
        keyDecodingStrategy =
            switch settings.keys {
            case .useDefaultKeys: .useDefaultKeys
            case .convertFromSnakeCase: .convertFromSnakeCase
            case .custom(let convert): .custom(convert)
            }
        dateDecodingStrategy =
            switch settings.dates {
            case .deferredToDate: .deferredToDate
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            case .iso8601: .iso8601
            case .formatted(let formatter): .formatted(formatter)
            case .custom(let decode): .custom(decode)
            }
        dataDecodingStrategy =
            switch settings.bytes {
            case .deferredToData: .deferredToData
            case .base64: .base64
            case .custom(let decode): .custom(decode)
            }
        nonConformingFloatDecodingStrategy =
            switch settings.floats {
            case .throw: .throw
            case .convertFromString(let positive, let negative, let nan):
                .convertFromString(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
            }
        userInfo = settings.userInfo
    }
}

extension WaybillJSONDecoder {
    init(_ settings: DecoderSettings) {
        self.init()
        keyDecodingStrategy =
            switch settings.keys {
            case .useDefaultKeys: .useDefaultKeys
            case .convertFromSnakeCase: .convertFromSnakeCase
            case .custom(let convert): .custom(convert)
            }
        dateDecodingStrategy =
            switch settings.dates {
            case .deferredToDate: .deferredToDate
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            case .iso8601: .iso8601
            case .formatted(let formatter): .formatted { formatter.date(from: $0) }
            case .custom(let decode): .custom(decode)
            }
        dataDecodingStrategy =
            switch settings.bytes {
            case .deferredToData: .deferredToData
            case .base64: .base64
            case .custom(let decode): .custom(decode)
            }
        nonConformingFloatDecodingStrategy =
            switch settings.floats {
            case .throw: .throw
            case .convertFromString(let positive, let negative, let nan):
                .convertFromString(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
            }
        userInfo = settings.userInfo
    }

    init(maximumDepth: Int) {
        self.init()
        self.maximumDepth = maximumDepth
    }
}
