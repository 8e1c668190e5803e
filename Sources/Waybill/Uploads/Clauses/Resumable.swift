/// The protocol by which an upload goes on where it broke off.
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
        scope.declare(DeclarationError(clause: "Resumable", value: value, reason: reason))
    }
}
