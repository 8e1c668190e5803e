import Waybill
import WaybillSystem

/// A clause that makes an upload resumable after an interruption.
///
/// ```swift
/// Resumable(.draft)                                              // draft-ietf-httpbis-resumable-upload
/// Resumable(.tus(metadata: ["filename": "dawn.mov"]))            // tus 1.0.0
/// Resumable(.tus, maximumPartBytes: 5_000_000)                           // no request has more bytes of the body
/// Resumable.none                                                 // an ordinary upload, even if an outer scope
///                                                                // declares a protocol
/// ```
///
/// A call creates the upload, sends the body and, after a broken connection, asks the server for the offset to continue
/// from. Each of its requests carries the declared credential and passes through the attempt middleware, the limits and
/// the observers. `Retry` decides whether the call continues automatically, regardless of its method. To continue
/// later, or in another process, call the endpoint's `send(resuming:controlledBy:saving:)`. After cancellation, the
/// upload remains on the server, which decides when to remove it.
///
/// The body must be readable from any offset: bytes, a file, a form that consists of these, or `HTTPBody(length:_:)`.
/// Any other body and a missing body are declaration errors, as are a part size below 1, a tus upload with a method
/// other than `POST`, and metadata that tus does not allow. Nothing is sent in these cases.
///
/// The call's value is decoded from the response to its last request. In the draft protocol, this is the resource's
/// response. In tus, the last response has no content, so declare the value as `Void`; `Response/url` is the URL of the
/// upload.
public struct Resumable: Setting, Hashable {
    /// The declared protocol; nil for ``none``.
    public let uploadProtocol: UploadProtocol?

    /// The maximum number of bytes of the body per request; nil for all remaining bytes.
    public let maximumPartBytes: Int?

    /// Creates the clause with a protocol.
    ///
    /// - Parameters:
    ///   - uploadProtocol: the protocol that the server supports.
    ///   - maximumPartBytes: the maximum number of bytes of the body per request, for a server or proxy that limits
    ///     requests; nil to apply only the server's limit. A size below 1 is a declaration error.
    public init(_ uploadProtocol: UploadProtocol, maximumPartBytes: Int? = nil) {
        self.uploadProtocol = uploadProtocol
        self.maximumPartBytes = maximumPartBytes
    }

    private init() { (uploadProtocol, maximumPartBytes) = (nil, nil) }

    /// An ordinary upload in one request, even if an outer scope declares a protocol.
    public static let none = Resumable()

    /// The protocol and the part size, or `none`.
    public var summary: String {
        guard let uploadProtocol else { return "none" }
        return maximumPartBytes.map { "\(uploadProtocol), in parts of \($0) bytes" } ?? "\(uploadProtocol)"
    }

    /// Adds the clause to a scope; an invalid part size or metadata key is a declaration error.
    ///
    /// - Parameter scope: the scope that declares the protocol.
    public func declare(in scope: inout Scope) {
        if let maximumPartBytes, maximumPartBytes < 1 {
            reject("maximumPartBytes: \(maximumPartBytes)", "a part has at least one byte; give 1 or more", in: &scope)
        }
        for (key, value) in uploadProtocol?.metadata ?? [] {
            if key.isEmpty || !key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") }) {
                reject(
                    "metadata: \(key.debugDescription): \(value.debugDescription)",
                    "a tus key is non-empty ASCII without spaces or commas; give another one",
                    in: &scope
                )
            }
        }
        for key in uploadProtocol?.repeatedKeys ?? [] {
            reject("metadata: \(key.debugDescription)", "a key of tus occurs only once; remove the others", in: &scope)
        }
        scope.declare(self)
    }

    private func reject(_ value: String, _ reason: String, in scope: inout Scope) {
        scope.declarationErrors.reject(
            "Resumable",
            value,
            because: reason
        )
    }
}

extension Resumable {
    /// A token for resuming an unfinished upload in a later call or another process.
    ///
    /// ```swift
    /// try await shop.upload(photo, title: "Dawn").send(resuming: nil) { token in
    ///     try? JSONEncoder().encode(token).write(to: photo.appendingPathExtension("token"))
    /// }
    /// ```
    ///
    /// A token contains the URL of the upload, the protocol, the length, the identity of the endpoint, and two SHA-256
    /// digests: one of the first and last 64 KiB of the body, and one of the lengths, modification times and file
    /// numbers of the body's files. It contains no credential, but anyone with the URL of an upload can often append to
    /// it, so store tokens as private data.
    ///
    /// Resuming with a token for a different endpoint, protocol, length or content is an error, and nothing is sent.
    /// The same applies if one of the body's files has been modified or replaced. In a long body that does not come
    /// from a file, a change in the middle that preserves the length goes undetected.
    public struct Token: Codable, Sendable, Hashable {
        /// The URL of the upload, which may be secret.
        public var url: URL { location }

        /// The length of the whole upload in bytes.
        public let length: Int

        package let location: URL
        package let kind: Resumable.UploadProtocol.Kind
        /// The method, the path template and a digest of the origin and path, which identify the endpoint.
        package let endpoint: String
        /// The SHA-256 digest of the first and last bytes of the body.
        package let contentDigest: String
        /// The SHA-256 digest of the lengths, modification times and file numbers of the body's files; nil if there are
        /// no files.
        package let fileDigest: String?
        /// The boundary between the parts, if the body is a form.
        package let boundary: String?

        private enum CodingKeys: String, CodingKey {
            case length, location, kind = "protocol", endpoint, contentDigest, fileDigest, boundary
        }
    }
}

extension Resumable.Token: CustomStringConvertible, PartlyShown {
    /// The protocol, the length and the origin of the upload, without the path, which may be secret.
    public var description: String {
        "upload of \(length) bytes by \(kind.rawValue) at \(HTTPRequest.Origin(location)?.description ?? "no URL")"
    }

    /// The description, because the URL may be secret.
    package var shownParts: KeyValuePairs<String, Any> { ["upload": description] }
}

/// The token of the upload to resume, and the closure that saves the token of a new upload.
package struct UploadResumption: Setting {
    package let token: Resumable.Token?
    package let save: @Sendable (Resumable.Token) async -> Void

    /// The description of the token, or a note that the upload is new.
    package var summary: String { token.map { "\($0)" } ?? "a new upload" }
}
