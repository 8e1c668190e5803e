import WaybillSystem

/// The protocol by which an upload continues after a break.
///
/// ```swift
/// Resumable(.draft)                                              // draft-ietf-httpbis-resumable-upload
/// Resumable(.tus(metadata: ["filename": "dawn.mov"]))            // tus 1.0.0
/// Resumable(.tus, partSize: 5_000_000)                           // no request has more bytes of the body
/// ```
///
/// One call creates the upload, sends the body, and asks for the offset after a broken connection; each request has the
/// declared credential, and passes the middleware of attempts, limits and observers. ``Retry`` decides whether the call
/// goes on by itself, for any method; `send(resuming:controlledBy:saving:)` of an endpoint goes on later, or in another
/// process. A cancelled call leaves the upload at the server, which removes it in its own time.
///
/// The body has to be one that can be read from any of its bytes on: bytes, a file, a form of those, or
/// `HTTPBody(length:_:)`. A call with another body or without one is a declaration error, as are a part size of less
/// than 1, a tus upload with another method than `POST`, and metadata that tus does not allow. Nothing is sent then.
///
/// The value of the call comes from the response to its last request. With the draft that is the response of the
/// resource itself. With tus it has no content: declare the value as `Void`. `Response/url` is the URL of the upload.
public struct Resumable: Setting, Hashable {
    /// The protocol.
    public let uploadProtocol: UploadProtocol

    /// The most bytes of the body that one request sends; nil for all that are left.
    public let partSize: Int?

    /// Declares that the upload can go on where it broke off.
    ///
    /// - Parameters:
    ///   - uploadProtocol: the protocol of the server.
    ///   - partSize: the most bytes of the body that one request sends, for a server or proxy that limits requests; nil
    ///     for no limit but that which the server states. Less than 1 is a declaration error.
    public init(_ uploadProtocol: UploadProtocol, partSize: Int? = nil) {
        self.uploadProtocol = uploadProtocol
        self.partSize = partSize
    }

    /// The protocol and the size of parts.
    public var summary: String {
        partSize.map { "\(uploadProtocol), in parts of \($0) bytes" } ?? "\(uploadProtocol)"
    }

    /// Declares the protocol.
    public func declare(in scope: inout Scope) {
        if let partSize, partSize < 1 {
            reject("partSize: \(partSize)", "a part has at least one byte; give 1 or more", in: &scope)
        }
        for (key, value) in uploadProtocol.metadata ?? [] {
            if key.isEmpty || !key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") }) {
                reject(
                    "metadata: \(key.debugDescription): \(value.debugDescription)",
                    "a key of tus is ASCII without spaces and commas, and not empty; give another one",
                    in: &scope
                )
            }
        }
        for key in uploadProtocol.repeatedKeys {
            reject("metadata: \(key.debugDescription)", "a key of tus occurs once; leave the others out", in: &scope)
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
    /// An upload that has begun, for a later call or another process that continues it.
    ///
    /// ```swift
    /// try await shop.upload(photo, title: "Dawn").send(resuming: nil) { token in
    ///     try? JSONEncoder().encode(token).write(to: photo.appendingPathExtension("token"))
    /// }
    /// ```
    ///
    /// It has the URL of the upload, the protocol, the number of bytes, a SHA-256 digest of the endpoint, one of the
    /// first and the last 64 KiB of the body, and one of the lengths and times of the body's files. It has no
    /// credential, but anyone with the URL of an upload can often append to it: keep a token as you keep other private
    /// data. A token of another endpoint, protocol, length or content is an error, and nothing is sent. So is one of a
    /// file that has been written or replaced since. A change in the middle of a long body that keeps its length is not
    /// noticed if the body is made of bytes or of a source of an app's own.
    public struct Token: Codable, Sendable, Hashable {
        /// The URL of the upload; its texts leave secrets out.
        public var url: URL { location }

        /// The number of bytes of the whole upload.
        public let length: Int

        package let location: URL
        package let kind: Resumable.UploadProtocol.Kind
        /// The method, the template and a digest of the URL, which identify the endpoint.
        package let endpoint: String
        /// The SHA-256 digest of the beginning and the end of the body.
        package let contentDigest: String
        /// The SHA-256 digest of the lengths, times and numbers of the files of the body; nil if it has none.
        package let fileDigest: String?
        /// The boundary of the parts, if the body is a form.
        package let boundary: String?

        private enum CodingKeys: String, CodingKey {
            case length, location, kind = "protocol", endpoint, contentDigest, fileDigest, boundary
        }
    }
}

extension Resumable.Token: CustomStringConvertible, CustomReflectable {
    /// The protocol, the length and the origin of the upload; the path of its URL may be a secret.
    public var description: String {
        "upload of \(length) bytes by \(kind.rawValue) at \(HTTPRequest.Origin(location)?.description ?? "no URL")"
    }

    /// The description: the URL may be a secret.
    public var customMirror: Mirror { Mirror(self, children: ["upload": description], displayStyle: .struct) }
}

/// The token with which a call continues an upload, and the closure that keeps the token of the upload.
package struct UploadResumption: Setting {
    package let token: Resumable.Token?
    package let save: @Sendable (Resumable.Token) async -> Void

    /// Whether there is a token.
    package var summary: String { token.map { "\($0)" } ?? "a new upload" }
}
