import Waybill
import WaybillFiles
import WaybillSystem

/// The body of an upload, with its length and digest.
struct UploadContent: Sendable {
    /// The number of bytes covered by the digest at each end of the body.
    ///
    /// A digest of the whole body would delay the upload until the body has been read completely.
    private static let digestedBytes = 64 * 1024

    let body: HTTPBody
    let length: Int
    /// The digest for tokens; nil if the call neither saves nor uses a token.
    let digest: String?

    /// The SHA-256 digest of the lengths, modification times and file numbers of the body's files; nil if there are no
    /// files.
    var fileDigest: String? { body.fileVersions.map { SHA256.hexadecimal(SHA256.hash($0.utf8)) } }

    /// Returns the SHA-256 digest of the first and last bytes of a body.
    static func digest(of body: HTTPBody, length: Int) async throws(TransportError) -> String {
        let head = 0..<min(length, digestedBytes)
        let tail = max(head.upperBound, length - digestedBytes)..<length
        var bytes = Data()
        for range in [head, tail] where !range.isEmpty {
            guard let part = body.part(range) else { continue }
            let read = try await part.collect(upTo: range.count)
            guard read.count == range.count else {
                throw TransportError(.unsupportedRequest, "its body is not as long as its declared length")
            }
            bytes.append(read)
        }
        return SHA256.hexadecimal(SHA256.hash(bytes))
    }
}
