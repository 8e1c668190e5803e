import WaybillSystem

extension JSONText {
    /// Returns the bytes of the value at a path of a document; nil without a value there.
    package static func value(at path: [EnvelopeKey], in document: Data) -> Data? {
        let text = JSONText((try? DocumentReader.utf8(of: document)) ?? document)
        return text.location(of: path.map { PathKey($0) }).map { Data(text.bytes[$0.value]) }
    }
}
