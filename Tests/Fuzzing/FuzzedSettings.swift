import Foundation

/// The settings of both decoders, chosen by one byte.
struct FuzzedSettings: CustomStringConvertible {
    let selector: UInt8
    let settings: DecoderSettings

    /// Whether the key strategy leaves keys unchanged.
    var keepsKeys: Bool { selector & 3 == 0 || selector & 3 == 3 }

    /// Whether there is a key strategy; Foundation's decoder then decodes every member of a dictionary with a repeated
    /// key.
    var convertsKeys: Bool { selector & 3 != 0 }

    /// Whether dates are strings; the decoders accept different formats.
    var readsDateStrings: Bool { selector >> 2 & 3 == 3 }

    /// Whether `"inf"` is decoded as a number.
    var convertsFloats: Bool { selector >> 4 & 1 == 1 }

    init(_ selector: UInt8) {
        self.selector = selector
        let keys: [DecoderSettings.Keys] = [
            .useDefaultKeys, .convertFromSnakeCase,
            .custom { AnyJSON.Key(stringValue: String(($0.last?.stringValue ?? "").reversed())) },
            .custom { $0[$0.count - 1] },
        ]
        let dates: [DecoderSettings.Dates] = [.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601]
        var settings = DecoderSettings(keys: keys[Int(selector & 3)], dates: dates[Int(selector >> 2 & 3)])
        if selector >> 4 & 1 == 1 {
            settings.floats = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        if selector >> 5 & 1 == 1 { settings.bytes = .deferredToData }
        self.settings = settings
    }

    var decoder: WaybillJSONDecoder { WaybillJSONDecoder(settings) }

    var foundation: JSONDecoder { JSONDecoder(settings) }

    var description: String { "selector \(selector)" }
}
