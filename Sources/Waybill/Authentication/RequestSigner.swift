import Foundation

/// Signs requests: computes something from a request as it goes out, and puts it into the request.
///
/// ```swift
/// struct HMACSigner: RequestSigner {
///     let key: SymmetricKey
///
///     func sign(_ request: inout HTTPRequest, body: Data?) async throws {
///         let text = "\(request.method) \(request.url.value.path)"
///         let sum = HMAC<SHA256>.authenticationCode(for: Data(text.utf8) + (body ?? Data()), using: key)
///         request.headerFields[.authorization] = "HMAC " + Data(sum).base64EncodedString()
///     }
/// }
///
/// Client(url) { Signed(by: HMACSigner(key: key)) }
/// ```
public protocol RequestSigner: Sendable {
    /// Signs a request.
    ///
    /// The request has its URL and all header fields, the credential included, but for those that the transport adds,
    /// such as `Host`. What it may not be led to is another origin. The values that it adds are in no event and no
    /// error; `Date`, digests of the body and `Signature-Input` are, since they are no secrets.
    ///
    /// - Parameters:
    ///   - request: the request, which the signature is put into.
    ///   - body: the bytes of its body, none where it has no body; nil where they are produced while they are sent.
    /// - Throws: whatever keeps the request from being signed; it is not sent then.
    func sign(_ request: inout HTTPRequest, body: Data?) async throws
}

/// Has each request signed that goes to the client's origin.
///
/// ```swift
/// Signed(by: HMACSigner(key: key))
/// Signed.none                      // unsigned, whatever a farther scope says
/// ```
///
/// It is the last step before the transport: it comes anew with each attempt, and with each redirect within the
/// origin. A request that a redirect or a page leads elsewhere is not signed. An error of the signer is an
/// ``AuthorizationFailure``; nothing is sent.
public struct Signed: Setting {
    package let signer: (any RequestSigner)?

    /// A signer.
    public init(by signer: some RequestSigner) { self.signer = signer }

    private init() { signer = nil }

    /// No signature, whatever a farther scope says.
    public static let none = Signed()

    /// The type of the signer.
    public var summary: String { signer.map { "\(type(of: $0))" } ?? "none" }
}

extension Signed: CustomStringConvertible, CustomReflectable {
    /// The type of the signer, whose key is secret.
    public var description: String { "Signed(by: \(summary))" }

    /// The type of the signer.
    public var customMirror: Mirror { Mirror(self, children: ["signer": summary], displayStyle: .struct) }
}
