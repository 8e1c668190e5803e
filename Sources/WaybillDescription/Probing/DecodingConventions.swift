import Waybill
import WaybillSystem

/// The conventions of a decoder that types do not reveal: date and data formats, and key spelling.
struct DecodingConventions {
    private(set) var date = JSONSchema(.number(format: nil))
    private(set) var data = JSONSchema(.base64)
    private(set) var userInfo: [CodingUserInfoKey: Any] = [:]
    private(set) var keys = WaybillJSONDecoder.KeyDecodingStrategy.useDefaultKeys

    /// Whether 64-bit integers are decoded from strings.
    private(set) var readsInt64FromString = false

    /// The reason that the conventions are unknown; nil if they are known.
    private let problem: String?

    /// Creates the conventions of a decoder.
    init(of decoder: any ResponseDecoder) {
        switch decoder {
        case let decoder as WaybillJSONDecoder:
            problem = nil
            (keys, userInfo) = Identity.rules(of: decoder)
            date = Self.date(decoder.dateDecodingStrategy)
            data = Self.data(decoder.dataDecodingStrategy)
            readsInt64FromString = decoder.int64DecodingStrategy == .convertFromString
        case let decoder as JSONDecoder where type(of: decoder) == JSONDecoder.self:
            problem = nil
            (keys, userInfo) = Identity.rules(of: decoder)
            date = Self.date(WaybillJSONDecoder.DateDecodingStrategy(decoder.dateDecodingStrategy))
            data = Self.data(WaybillJSONDecoder.DataDecodingStrategy(decoder.dataDecodingStrategy))
        default:
            problem = "the conventions of \(type(of: decoder)) are unknown"
            date = .unknown("the date format of \(type(of: decoder)) is unknown")
            data = .unknown("the data format of \(type(of: decoder)) is unknown")
        }
        if date.form == .string(format: "date-time"), let text = Self.textWithoutZone(readBy: decoder) {
            let reason = "the decoder also accepts dates without a time zone"
            date = JSONSchema(.string(format: nil), origin: .inferred(reason))
            date.examples = [text]
        }
        date.meaning = .date
        data.meaning = .data
        // Dates get an example in the decoder's format, unless the schema determines the format.
        if date.examples.isEmpty, date.form == .string(format: nil) || date.form == .any {
            let example = ScalarFormat<Date>.format(readBy: decoder)?.write(ScalarFormat<Date>.sample)
            date.examples = [example].compactMap { $0 }
        }
    }

    /// Returns the document key for a coding key, with the origin of this information.
    ///
    /// The origin is not ``JSONSchema/Origin/asked`` if other document keys are possible, or if none is known.
    func documentKey(of key: any CodingKey, at path: [any CodingKey]) -> (name: String, origin: JSONSchema.Origin) {
        let name = key.stringValue
        if let problem { return (name, .unknown(problem)) }
        guard let found = keys.documentKey(of: name, at: path) else {
            return (name, .unknown("no document key is known to convert to \(name)"))
        }
        guard let other = keys.otherKey(than: found, for: name, at: path) else {
            return (found, .asked)
        }
        return (found, .inferred("the decoder also accepts other spellings of the key, such as \(other)"))
    }

    /// Returns the text of a date without a time zone if the decoder accepts it; otherwise nil.
    private static func textWithoutZone(readBy decoder: any ResponseDecoder) -> JSONValue? {
        let text = "2026-05-01T12:00:00"
        return (try? decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8))) == nil ? nil : .string(text)
    }

    private static func date(_ strategy: WaybillJSONDecoder.DateDecodingStrategy) -> JSONSchema {
        switch strategy {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970: JSONSchema(.number(format: nil))
        case .iso8601: JSONSchema(.string(format: "date-time"))
        case .formatted: JSONSchema(.string(format: nil), origin: .inferred("the decoder uses a date formatter"))
        case .custom(let read): learned { try read($0) }
        }
    }

    private static func data(_ strategy: WaybillJSONDecoder.DataDecodingStrategy) -> JSONSchema {
        switch strategy {
        case .deferredToData:
            JSONSchema(.array(JSONSchema(.integer(format: "uint8")), hasUniqueElements: false))
        case .base64: JSONSchema(.base64)
        case .custom(let read): learned { try read($0) }
        }
    }

    /// Returns the schema of the values read by a decoder's closure.
    private static func learned<Value>(_ read: @escaping (any Decoder) throws -> Value) -> JSONSchema {
        TypeProbe(conventions: DecodingConventions(of: WaybillJSONDecoder())).schema(of: read)
    }
}

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// Returns the document key that converts to a type's key; nil if none is known.
    func documentKey(of name: String, at path: [any CodingKey]) -> String? {
        switch self {
        case .useDefaultKeys: return name
        case .convertFromSnakeCase, .custom:
            let usual = [KeyCase.snake.spelling(name), name] + KeyCase.allCases.map { $0.spelling(name) }
            let candidates = (spelling.map { [$0.spelling(name)] } ?? []) + usual
            return candidates.first { converting($0, in: path) == name }
        }
    }

    /// Returns another document key that converts to the same key.
    ///
    /// The result is nil if no such key is known, or if the conversion reveals a specific spelling.
    func otherKey(than found: String, for name: String, at path: [any CodingKey]) -> String? {
        guard case .custom = self, spelling == nil else { return nil }
        return KeyCase.allCases.lazy.map { $0.spelling(name) }.first { $0 != found && converting($0, in: path) == name }
    }

    /// The spelling of multiword keys expected by a custom conversion; nil if none matches.
    var spelling: KeyCase? {
        guard case .custom = self else { return nil }
        let samples = ["firstItem", "someLongKey"]
        return KeyCase.allCases.first { spelling in
            samples.allSatisfy { sample in
                let spelled = spelling.spelling(sample)
                return spelled != sample && converting(spelled, in: []) == sample
            }
        }
    }
}

extension DecodingConventions {
    /// Returns the key decoding strategy of a decoder.
    static func keys(of decoder: any ResponseDecoder) -> WaybillJSONDecoder.KeyDecodingStrategy {
        Identity.rules(of: decoder).0
    }

    /// The identity of a decoder's conventions.
    ///
    /// Closures are identified by their results for sample values.
    struct Identity: Hashable {
        private let decoder: String
        private let dates: [Date?]
        private let data: [Data?]
        private let keys: [String]
        private let userInfo: [String]
        private let readsInt64FromString: Bool

        /// Creates the identity of a decoder.
        init(of decoder: any ResponseDecoder) {
            func read<Value: Decodable>(_ text: String) -> Value? {
                try? decoder.decode([Value].self, from: Data("[\(text)]".utf8)).first
            }
            let named = (decoder as? WaybillJSONDecoder).flatMap(Self.names)
            self.decoder = "\(type(of: decoder)) \(named ?? "")"
            dates =
                named != nil
                ? []
                : Self.dateSamples.map { text in
                    let date: Date? = read(text)
                    // A closure that falls back to the current time has no reproducible result.
                    return date == read(text) ? date : nil
                }
            data = named != nil ? [] : [#""AQID""#, "[1,2]"].map(read)
            readsInt64FromString = (read(#""1""#) as Int64?) != nil
            let (keys, userInfo) = Self.rules(of: decoder)
            self.keys = Self.keySamples.map { keys.converting($0, in: []) }
            self.userInfo = userInfo.map { "\($0.key.rawValue): \($0.value)" }.sorted()
        }

        /// Returns the names of the date and data strategies; nil if either is a closure or a formatter.
        private static func names(of decoder: WaybillJSONDecoder) -> String? {
            let date: String
            switch decoder.dateDecodingStrategy {
            case .deferredToDate: date = "deferredToDate"
            case .secondsSince1970: date = "secondsSince1970"
            case .millisecondsSince1970: date = "millisecondsSince1970"
            case .iso8601: date = "iso8601"
            case .formatted, .custom: return nil
            }
            switch decoder.dataDecodingStrategy {
            case .deferredToData: return "\(date) deferredToData"
            case .base64: return "\(date) base64"
            case .custom: return nil
            }
        }

        /// Returns the key decoding strategy and the `userInfo` of a decoder.
        fileprivate static func rules(
            of decoder: any ResponseDecoder
        ) -> (WaybillJSONDecoder.KeyDecodingStrategy, [CodingUserInfoKey: Any]) {
            switch decoder {
            case let decoder as WaybillJSONDecoder: return (decoder.keyDecodingStrategy, decoder.userInfo)
            case let decoder as JSONDecoder where type(of: decoder) == JSONDecoder.self:
                return (WaybillJSONDecoder.KeyDecodingStrategy(decoder.keyDecodingStrategy), decoder.userInfo)
            default: return (.useDefaultKeys, [:])
            }
        }

        private static let dateSamples = [
            #""2026-05-01T12:00:00Z""#, #""2026-05-01T12:00:00.250Z""#, #""2026-05-01T12:00:00""#,
            #""2026-05-01 12:00:00""#, #""2026-05-01""#, #""Fri, 01 May 2026 12:00:00 GMT""#, #""1777636800""#,
            "1777636800", "1777636800.5",
        ]

        private static let keySamples = [
            "id", "ID", "_id", "someKey", "some_key", "SomeKey", "some-key", "SOME_KEY", "$type", "@type",
        ]
    }
}

/// A spelling of multiword keys.
enum KeyCase: CaseIterable {
    case snake, kebab, pascal, screamingSnake, flat

    /// Returns a lower camel case key in this spelling.
    func spelling(_ key: String) -> String {
        let words = Self.words(of: key)
        switch self {
        case .snake: return words.map { $0.lowercased() }.joined(separator: "_")
        case .kebab: return words.map { $0.lowercased() }.joined(separator: "-")
        case .pascal: return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        case .screamingSnake: return words.map { $0.uppercased() }.joined(separator: "_")
        case .flat: return key.lowercased()
        }
    }

    /// Returns the words of a key, split as Foundation does for snake case.
    private static func words(of key: String) -> [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(key)
        for (index, character) in characters.enumerated() {
            let next = characters.indices.contains(index + 1) ? characters[index + 1] : nil
            let follows = word.last.map { !$0.isUppercase } ?? false
            let endsAcronym = (word.last?.isUppercase ?? false) && (next?.isLowercase ?? false)
            if character.isUppercase, follows || endsAcronym, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        return words + [word]
    }
}
