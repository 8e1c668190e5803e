/// The fields of uploads in a response.
struct UploadResponse: Sendable, Hashable {
    /// A field that does not have the form that the protocol requires.
    struct InvalidField: Error {
        let name: HTTPField.Name
        let value: String
    }

    /// The number of bytes that the server has; nil if it does not say.
    let offset: Int?

    /// Whether the upload is complete; nil if the server does not say.
    let isComplete: Bool?

    /// The number of bytes of the whole upload; nil if the server does not say.
    let length: Int?

    /// Reads the fields.
    ///
    /// A field of the wrong form is an error: it may mean anything.
    init(_ fields: HTTPFields, _ kind: Resumable.UploadProtocol.Kind) throws(InvalidField) {
        offset = try Self.count(.uploadOffset, fields, kind)
        length = try Self.count(.uploadLength, fields, kind)
        guard kind == .draft, let text = fields[.uploadComplete] else {
            isComplete = nil
            return
        }
        guard case .boolean(let value)? = StructuredField.item(text)?.value else {
            throw InvalidField(name: .uploadComplete, value: text)
        }
        isComplete = value
    }

    private static func count(
        _ name: HTTPField.Name,
        _ fields: HTTPFields,
        _ kind: Resumable.UploadProtocol.Kind
    ) throws(InvalidField) -> Int? {
        guard let text = fields[name] else { return nil }
        switch kind {
        case .draft:
            guard case .integer(let value)? = StructuredField.item(text)?.value, value >= 0 else {
                throw InvalidField(name: name, value: text)
            }
            return value
        case .tus:
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text) else {
                throw InvalidField(name: name, value: text)
            }
            return value
        }
    }
}
