import Foundation

extension DecodingDiagnosis {
    /// Reads a document again, in any encoding of Unicode, to see what an error is about.
    package init(error: DecodingError, encodedDocument: Data, redacting names: Set<String>) {
        self.init(error: error, document: UnicodeEncoding.utf8(of: encodedDocument), redacting: names)
    }
}

extension UnicodeEncoding {
    /// A document in UTF-8; as it is where it is not valid in its encoding.
    static func utf8(of document: Data) -> Data { unusual(of: document)?.utf8(from: document) ?? document }
}
