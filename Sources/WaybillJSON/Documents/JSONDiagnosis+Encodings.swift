#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONDiagnosis {
    /// Creates the diagnosis of any decoder's error, in a document that is UTF-8, UTF-16 or UTF-32.
    package init(of error: DecodingError, inEncoded document: Data) {
        self.init(of: error, in: JSONSource(data: (try? DocumentReader.utf8(of: document)) ?? document))
    }
}
