import Waybill
import WaybillSystem

/// A coder for the server's side of a call.
///
/// It writes values for the declared decoder, and reads bodies from the declared encoder.
package struct DeclaredCoding: Sendable {
    /// The response decoder.
    package let decoder: any ResponseDecoder

    /// Whether the decoder reads JSON.
    package let readsJSON: Bool

    private let keys: WaybillJSONDecoder.KeyDecodingStrategy
    private let dates: ScalarFormat<Date>?
    private let data: ScalarFormat<Data>?
    private let sent: SentFormats

    /// Whether dates have different formats in requests and responses.
    private let convertsDates: Bool

    /// Whether data has different formats in requests and responses.
    private let convertsData: Bool

    package init(_ settings: Scope.Settings) {
        decoder = settings[Decode.self]?.decoder ?? JSONSchema.Document.usualDecoder
        readsJSON = (try? decoder.decode([Int].self, from: Data("[1]".utf8))) == [1]
        keys = DecodingConventions(of: decoder).keys
        dates = .format(readBy: decoder)
        data = .format(readBy: decoder)
        sent = SentFormats(settings)
        let day = ScalarFormat<Date>.sample + 0.25
        convertsDates = dates?.write(day) != sent.dates?.write(day)
        let bytes = Data([1, 250])
        convertsData = data?.write(bytes) != sent.data?.write(bytes)
    }

    /// Returns a form body as a document, whose scalars remain strings until the document is adapted to a schema.
    ///
    /// - Parameter text: the form body.
    /// - Returns: the document.
    package func document(ofForm text: String) -> JSONValue {
        FormDocument(text, splitsCommas: sent.splitsCommas).value
    }

    /// Returns a value as JSON for the declared decoder.
    ///
    /// - Parameter value: the value to encode.
    /// - Returns: the JSON.
    /// - Throws: the encoding error.
    package func json(of value: any Encodable) throws -> JSONValue {
        var encoder = WaybillJSONEncoder()
        if let dates {
            encoder.dateEncodingStrategy = .custom { date, encoder in
                try (dates.write(date) ?? .null).encode(to: encoder)
            }
        }
        if let data {
            encoder.dataEncodingStrategy = .custom { bytes, encoder in
                try (data.write(bytes) ?? .null).encode(to: encoder)
            }
        }
        let keys = keys
        encoder.keyEncodingStrategy = .custom { path in
            let name = path.last?.stringValue ?? ""
            return EnvelopeCodingKey(keys.documentKey(of: name, at: path.dropLast()) ?? name)
        }
        return try WaybillJSONDecoder().decode(JSONValue.self, from: encoder.encode(value))
    }

    /// Converts a sent value to the keys and the date and data formats that the declared decoder reads.
    ///
    /// - Parameters:
    ///   - value: the sent value.
    ///   - schema: the schema of the entity.
    ///   - schemas: the definitions referenced by the schema.
    ///   - isChange: whether the value is a partial update, in which some form styles send an empty array as a blank
    ///     item.
    /// - Returns: the converted value. Parts that do not match the schema are unchanged.
    package func adapted(
        _ value: JSONValue,
        to schema: JSONSchema,
        in schemas: JSONSchema.Document,
        isChange: Bool = false
    ) -> JSONValue {
        guard let schema = schemas.resolving(schema), !value.isNull else { return value }
        if let empty = sent.empty(value, schema, isChange: isChange) { return empty }
        if sent.isForm, sent.isNull(value, schema) { return .null }
        switch schema.meaning {
        case .date?:
            guard convertsDates, let date = sent.dates?.read(value) else { return value }
            return dates?.write(date) ?? value
        case .data?:
            guard convertsData, let bytes = sent.data?.read(value) else { return value }
            return data?.write(bytes) ?? value
        case nil: break
        }
        switch schema.form {
        case .object(let properties):
            guard var members = value.objectValue else { return value }
            for property in properties {
                let coding = keys.converting(property.key, in: [])
                let key = sent.key(coding)
                guard let member = members[key] ?? members[property.key] else { continue }
                if members[key] != nil, key != property.key { members[key] = nil }
                members[property.key] = adapted(member, to: property.schema, in: schemas, isChange: isChange)
            }
            return .object(members)
        case .array(let element, _):
            let elements = value.arrayValue ?? (sent.isForm ? [value] : nil)
            return elements.map { .array($0.map { adapted($0, to: element, in: schemas, isChange: isChange) }) }
                ?? value
        case .dictionary(let element, _):
            return value.objectValue.map {
                .object($0.mapValues { adapted($0, to: element, in: schemas, isChange: isChange) })
            } ?? value
        case .oneOf(let options), .anyOf(let options):
            let adapted = options.map { self.adapted(value, to: $0, in: schemas, isChange: isChange) }
            return zip(options, adapted).first { schemas.problem(of: $1, $0) == nil }?.1 ?? value
        case .integer, .number, .boolean, .enumeration, .string, .base64:
            return sent.isForm ? sent.scalar(value, schema) : value
        case .any, .null, .tuple, .reference: return value
        }
    }
}

/// The formats of a call's request bodies.
private struct SentFormats: Sendable {
    let dates: ScalarFormat<Date>?
    let data: ScalarFormat<Data>?
    let isForm: Bool
    private let style: FormStyle
    private let keyEncoder: any RequestEncoder

    init(_ settings: Scope.Settings) {
        let encoder = settings[Encode.self]?.encoder ?? JSONDefaults.requestEncoder
        let syntax = settings[Body.Format.self]?.syntax
        isForm = syntax?.kind == .form
        style = syntax?.style ?? FormStyle()
        if isForm {
            keyEncoder = JSONRequestEncoder(JSONDefaults.encoder.applying(keys: style.keys, dates: nil))
        } else {
            keyEncoder = encoder
        }
        func written(_ value: some Encodable) throws -> JSONValue? {
            try WaybillJSONDecoder().decode(JSONValue.self, from: encoder.encode([value]))[0]
        }
        if isForm {
            let text = style.dates ?? .iso8601WithMilliseconds
            dates = .format { date in text.text(of: date).map(JSONValue.string) }
            data = .format { .string($0.base64EncodedString()) }
        } else {
            dates = .format { try written($0) }
            data = .format { try written($0) }
        }
    }

    /// Whether one form item contains all elements of an array, separated by commas.
    var splitsCommas: Bool { isForm && style.arrays == .commaSeparated }

    /// Returns the sent key of a member.
    func key(_ coding: String) -> String { keyEncoder.documentKey(of: coding) }

    /// Returns the empty array or object represented by a form value; nil for any other value.
    func empty(_ value: JSONValue, _ schema: JSONSchema, isChange: Bool) -> JSONValue? {
        guard isForm else { return nil }
        let empty: JSONValue
        switch schema.form {
        case .array: empty = []
        case .object, .dictionary: empty = [:]
        default: return nil
        }
        let isBlank = value == "" || value == [""]
        let isEmpty =
            switch style.empties {
            case .text(let text): value.stringValue == text
            case .empty: isBlank
            case .omitted: false
            case nil:
                isBlank && isChange && empty == [] && (style.arrays == .brackets || style.arrays == .commaSeparated)
            }
        return isEmpty ? empty : JSONValue?.none
    }

    /// Whether a form value represents `null`.
    func isNull(_ value: JSONValue, _ schema: JSONSchema) -> Bool {
        switch style.nulls ?? .empty {
        case .empty: value == "" && schema.isNullable
        case .text(let text): value.stringValue == text
        case .omitted: false
        }
    }

    /// Returns a form value as a scalar that matches a schema.
    func scalar(_ value: JSONValue, _ schema: JSONSchema) -> JSONValue {
        if let pieces = value.arrayValue { return .string(pieces.compactMap(\.stringValue).joined(separator: ",")) }
        guard let text = value.stringValue else { return value }
        if schema.form == .boolean, let bit = ["0": false, "1": true][text] { return .bool(bit) }
        return schema.value(ofText: text)
    }
}

extension RequestEncoder {
    /// Returns the document key that a JSON encoder writes for a coding key.
    func documentKey(of coding: String) -> String {
        let member = SingleMember(key: EnvelopeCodingKey(coding))
        let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: encode(member))
        return document?.objectValue?.keys.first ?? coding
    }
}

/// An object with one member.
private struct SingleMember: Encodable {
    let key: EnvelopeCodingKey

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EnvelopeCodingKey.self)
        try container.encode(1, forKey: key)
    }
}
