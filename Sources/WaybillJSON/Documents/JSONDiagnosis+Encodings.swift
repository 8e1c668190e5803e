import Foundation

extension JSONDiagnosis {
    /// The diagnosis of any decoder's error, in a document that is UTF-8, UTF-16 or UTF-32.
    package init(of error: DecodingError, inEncoded document: Data) {
        self.init(of: error, in: JSONSource(data: UnicodeEncoding.utf8(of: document)))
    }
}

extension UnicodeEncoding {
    /// A document in UTF-8; as it is where it is not valid in its encoding.
    static func utf8(of document: Data) -> Data { unusual(of: document)?.utf8(from: document) ?? document }
}
