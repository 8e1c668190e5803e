import WaybillSystem

extension Resumable {
    /// An upload that has begun, for a later call or another process that goes on with it.
    ///
    /// ```swift
    /// try await shop.upload(photo, title: "Dawn").send(resuming: nil) { token in
    ///     try? JSONEncoder().encode(token).write(to: photo.appendingPathExtension("token"))
    /// }
    /// ```
    ///
    /// It has the URL of the upload, the protocol, the number of bytes, a SHA-256 digest of the endpoint and one of the
    /// first and the last 64 KiB of the body, and one of the lengths and times of the body's files. It
    /// has no credential, but who knows the URL of an upload can often append to it: keep a token as you keep other
    /// private data. A token of another endpoint, protocol, length or content is an error, and nothing is sent. So is
    /// one of a file that has been written or replaced since. A change in the middle of a long body that keeps its
    /// length is not noticed if the body is made of bytes or of a source of an app's own.
    public struct Token: Codable, Sendable, Hashable {
        /// The URL of the upload; its texts leave secrets out.
        public var url: URL { location }

        /// The number of bytes of the whole upload.
        public let length: Int

        package let location: URL
        package let kind: Resumable.UploadProtocol.Kind
        /// The method, the template and a digest of the URL, by which the endpoint is known again.
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

        package init(
            location: URL,
            kind: Resumable.UploadProtocol.Kind,
            length: Int,
            endpoint: String,
            contentDigest: String,
            fileDigest: String?,
            boundary: String?
        ) {
            self.location = location
            self.kind = kind
            self.length = length
            self.endpoint = endpoint
            self.contentDigest = contentDigest
            self.fileDigest = fileDigest
            self.boundary = boundary
        }
    }
}

extension Resumable.Token: CustomStringConvertible, CustomReflectable {
    /// The protocol, the length and the origin of the upload; the path of its URL may be a secret.
    public var description: String {
        "upload of \(length) bytes by \(kind.rawValue) at \(HTTPOrigin(location)?.description ?? "no URL")"
    }

    /// The description: the URL may be a secret.
    public var customMirror: Mirror { Mirror(self, children: ["upload": description], displayStyle: .struct) }
}
