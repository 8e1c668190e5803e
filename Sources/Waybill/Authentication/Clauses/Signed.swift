import WaybillSystem

/// A clause that signs each request to the client's origin.
///
/// ```swift
/// Signed(by: HMACSigner(key: signingKey))
/// Signed.none                      // unsigned, even if an outer scope declares one
/// ```
///
/// Signing is the last step before the transport: each attempt, and each redirect within the origin, is signed again.
/// Requests to another origin, such as the target of a redirect or a page link, are not signed. If the signer throws,
/// the call fails with an ``APIError/AuthorizationFailure``, and nothing is sent.
public struct Signed: Setting {
    package let signer: (any Signed.Signer)?

    /// Creates the clause with a signer.
    ///
    /// - Parameter signer: the signer of each request.
    public init(by signer: some Signed.Signer) { self.signer = signer }

    private init() { signer = nil }

    /// No signature, even if an outer scope declares one.
    public static let none = Signed()

    /// The type of the signer, or `none`.
    public var summary: String { signer.map { "\(type(of: $0))" } ?? "none" }
}

extension Signed: CustomStringConvertible, PartlyShown {
    /// The type of the signer, whose key is secret.
    public var description: String { "Signed(by: \(summary))" }

    /// The type of the signer, or `none`.
    package var shownParts: KeyValuePairs<String, Any> { ["signer": summary] }
}

extension Signed {
    /// A type that signs each request just before it is sent.
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
        /// The request has its final URL and all header fields, including the credential. Only fields that the
        /// transport adds, such as `Host`, are missing. A signer cannot change the origin. Events and errors redact the
        /// values it adds, apart from public ones such as `Date`, digests of the body and `Signature-Input`.
        ///
        /// - Parameters:
        ///   - request: the request to add the signature to.
        ///   - body: the bytes of the body; empty if the request has no body, nil if the body is streamed.
        /// - Throws: any error that prevents signing; the request is then not sent.
        func sign(_ request: inout HTTPRequest, body: Data?) async throws
    }
}
