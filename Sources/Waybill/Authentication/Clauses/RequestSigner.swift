import WaybillSystem

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
