import WaybillSystem

/// Has each request signed that goes to the client's origin.
///
/// ```swift
/// Signed(by: HMACSigner(key: signingKey))
/// Signed.none                      // unsigned, even if an outer scope declares one
/// ```
///
/// It is the last step before the transport: it comes anew with each attempt, and with each redirect within the
/// origin. A request that a redirect or a page leads elsewhere is not signed. An error of the signer is an
/// ``APIError/AuthorizationFailure``; nothing is sent.
public struct Signed: Setting {
    package let signer: (any Signed.Signer)?

    /// Creates the clause with a signer.
    public init(by signer: some Signed.Signer) { self.signer = signer }

    private init() { signer = nil }

    /// No signature, even if an outer scope declares one.
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

extension Signed {
    /// Signs requests: computes a signature of a request at the time it is sent, and adds it to the request.
    ///
    /// ```swift
    /// struct HMACSigner: Signed.Signer {
    ///     let key: SymmetricKey
    ///
    ///     func sign(_ request: inout HTTPRequest, body: Data?) async throws {
    ///         let text = "\(request.method) \(request.url.path)"
    ///         let sum = HMAC<SHA256>.authenticationCode(for: Data(text.utf8) + (body ?? Data()), using: key)
    ///         request.headerFields[.authorization] = "HMAC " + Data(sum).base64EncodedString()
    ///     }
    /// }
    ///
    /// Client(url) { Signed(by: HMACSigner(key: signingKey)) }
    /// ```
    public protocol Signer: Sendable {
        /// Signs a request.
        ///
        /// The request has its URL and all header fields, the credential included, but for those that the transport
        /// adds, such as `Host`. A signer cannot send it to another origin. Events and errors leave out the values that
        /// it adds, except for `Date`, digests of the body and `Signature-Input`, which are no secrets.
        ///
        /// - Parameters:
        ///   - request: the request, to which the signature is added.
        ///   - body: the bytes of its body, empty if it has no body; nil if they are produced while they are sent.
        /// - Throws: any error that keeps the request from being signed; the request is not sent then.
        func sign(_ request: inout HTTPRequest, body: Data?) async throws
    }
}
