import Foundation

/// The body of a request, in bytes, with what is to be known of how they came about.
package struct EncodedBody: Sendable {
    /// The bytes.
    package let body: HTTPBody

    /// Their media type.
    package let contentType: String?

    /// The keys around the value.
    package let keys: [String]

    private init(_ body: HTTPBody, contentType: String?, keys: [String] = []) {
        self.body = body
        self.contentType = contentType
        self.keys = keys
    }

    /// Encodes a body as its clause and its scope say.
    package init(_ body: Body, bodies: Bodies?, encoder: (any RequestEncoder)?) throws {
        let encoder = encoder.map { ($0 as? JSONEncoder)?.rejectingUnwritableDates ?? $0 } ?? JSONDefaults.encoder
        switch body.content {
        case .value(let value) where bodies?.format == .form:
            let keys = body.keys ?? (value is any ListValue ? bodies?.listKeys : bodies?.itemKeys) ?? []
            self = try Self.form(value, under: keys, nils: bodies?.nils ?? .omitted)
        case .value(let value):
            let keys = body.keys ?? (value is any ListValue ? bodies?.listKeys : bodies?.itemKeys) ?? []
            let bytes = try Self.encode(value, under: keys, nils: bodies?.nils ?? .omitted, with: encoder)
            self.init(HTTPBody(bytes), contentType: encoder.contentType, keys: keys)
        case .mergePatch(let patch):
            let keys = body.keys ?? bodies?.itemKeys ?? []
            // A difference is JSON already: its keys are not to be converted a second time.
            let isDifference = patch is JSONValue
            let bytes = try Self.encode(
                patch,
                under: keys,
                nils: isDifference ? .omitted : bodies?.nils ?? .omitted,
                with: isDifference ? JSONDefaults.encoder : encoder
            )
            self.init(HTTPBody(bytes), contentType: "application/merge-patch+json", keys: keys)
        case .form(let value):
            self = try Self.form(value, under: body.keys ?? [], nils: bodies?.nils ?? .omitted)
        case .formItems(let items):
            self = Self.form(items)
        case .bytes(let bytes, let contentType):
            self.init(bytes, contentType: contentType)
        case .file(let file, let contentType):
            self.init(try HTTPBody(file: file), contentType: contentType)
        }
    }

    /// A JSON object without keys.
    package static let emptyObject = EncodedBody(HTTPBody(Data("{}".utf8)), contentType: "application/json")

    /// The type of what a body is made of, for texts.
    package static func typeName(of body: Body) -> String {
        switch body.content {
        case .value(let value), .form(let value), .mergePatch(let value): "\(type(of: value))"
        case .formItems: "form"
        case .bytes(_, let contentType): contentType
        case .file(let file, _): "file: \(file.lastPathComponent)"
        }
    }

    /// The body with a JSON merge patch applied to it.
    package func merging(_ patch: JSONValue) throws -> EncodedBody {
        let document = try JSONDefaults.decoder.decode(JSONValue.self, from: body.bytes ?? Data())
        let merged = document.applying(mergePatch: patch)
        return EncodedBody(
            HTTPBody(try JSONDefaults.encoder.encode(merged)),
            contentType: contentType,
            keys: keys
        )
    }

    private static func encode(
        _ value: any Encodable & Sendable,
        under keys: [String],
        nils: Bodies.Nils,
        with encoder: any RequestEncoder
    ) throws -> Data {
        var value: any Encodable = value
        if nils == .null { value = try ValueEncoder(nils: .null).encode(value) }
        return keys.isEmpty ? try encoder.encode(value) : try encoder.encode(Wrapped(value: value, keys: keys[...]))
    }

    private static func form(
        _ value: any Encodable & Sendable,
        under keys: [String],
        nils: Bodies.Nils
    ) throws -> EncodedBody {
        let wrapped: any Encodable = keys.isEmpty ? value : Wrapped(value: value, keys: keys[...])
        return form(try FormItems.items(of: wrapped, arrays: .repeated, dates: .iso8601, nils: nils))
    }

    private static func form(_ items: [QueryItem]) -> EncodedBody {
        // In a form a space is a plus (WHATWG URL, section 5.2); every other plus is encoded already.
        let text = items.map(\.encoded).joined(separator: "&").replacingOccurrences(of: "%20", with: "+")
        return EncodedBody(HTTPBody(Data(text.utf8)), contentType: "application/x-www-form-urlencoded")
    }
}

/// A value under keys, the outermost first.
private struct Wrapped: Encodable {
    let value: any Encodable
    let keys: ArraySlice<String>

    func encode(to encoder: any Encoder) throws {
        guard let key = keys.first else { return try value.encode(to: encoder) }
        var container = encoder.container(keyedBy: EnvelopeCodingKey.self)
        let rest = keys.dropFirst()
        // The value itself goes through the container, which applies the encoder's strategies to it.
        if rest.isEmpty {
            try container.encode(value, forKey: EnvelopeCodingKey(key))
        } else {
            try container.encode(Wrapped(value: value, keys: rest), forKey: EnvelopeCodingKey(key))
        }
    }
}
