import Waybill

/// The upload fields of a response.
struct UploadResponse: Sendable, Hashable {
    /// A field whose value violates the protocol.
    struct InvalidField: Error {
        let name: HTTPField.Name
        let value: String
    }

    /// The number of bytes received by the server; nil if the response does not state it.
    let offset: Int?

    /// Whether the upload is complete; nil if the response does not state it.
    let isComplete: Bool?

    /// The length of the whole upload in bytes; nil if the response does not state it.
    let length: Int?

    /// Parses the upload fields of a response.
    ///
    /// An invalid field is not ignored, because it leaves the state of the upload unknown.
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
