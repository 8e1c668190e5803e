import WaybillSystem

/// A clause that signs each request to the client's origin.
///
/// ```swift
/// Signed(by: HMACSigner(key: signingKey))
/// Signed.none                      // unsigned, even if an outer scope declares one
/// ```
///
/// Signing is the last step before the transport: each attempt and each redirect within the origin is signed again.
/// Requests to another origin, such as the target of a redirect or page link, are not signed. If the signer throws,
/// the call fails with an ``APIError/AuthorizationFailure``, and nothing is sent. A server can reject a signature and
/// demand another one, for example with a nonce: see ``Signer/shouldSignAgain(after:to:)``.
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
    /// The type of the signer, without its properties, which may be secret.
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
        /// The request has its final URL and all header fields, including the credential, except for fields added by
        /// the transport, such as `Host`. A signer cannot change the origin. Events and errors redact the values it
        /// adds, apart from public ones such as `Date`, digests of the body and `Signature-Input`.
        ///
        /// - Parameters:
        ///   - request: the request to add the signature to.
        ///   - body: the bytes of the body; empty if the request has no body, nil if the body is streamed.
        /// - Throws: any error that prevents signing; the request is then not sent.
        func sign(_ request: inout HTTPRequest, body: Data?) async throws

        /// Returns whether the server rejected the signature and would accept another one.
        ///
        /// This method is called with each response to a signed request, so a signer can also store values for later
        /// requests. By default, it returns `false`.
        ///
        /// ```swift
        /// actor NonceSigner: Signed.Signer {
        ///     private var nonce: String?
        ///
        ///     func sign(_ request: inout HTTPRequest, body: Data?) async throws {
        ///         request.headerFields["X-Nonce"] = nonce
        ///     }
        ///
        ///     func shouldSignAgain(after response: HTTPResponse, to request: HTTPRequest) async -> Bool {
        ///         guard let next = response.headerFields["X-Next-Nonce"] else { return false }
        ///         nonce = next
        ///         return response.status == 401
        ///     }
        /// }
        /// ```
        ///
        /// If the result is `true` and the status is 400...499 and not a declared ``Success``, the request is signed
        /// and sent once more, regardless of its method, because a server does not process a request that it rejects.
        /// The result is ignored for any other status, for the response to the second request, and if the request body
        /// cannot be replayed (`HTTPBody.isReplayable`). The call then continues with the response.
        ///
        /// - Parameters:
        ///   - response: the response from the client's origin. The body of a failure is in memory up to the limit of
        ///     ``BodyLimits``; any other body, or one that ended early, is empty.
        ///   - request: the signed request.
        /// - Returns: `true` to sign the request and send it again.
        func shouldSignAgain(after response: HTTPResponse, to request: HTTPRequest) async -> Bool
    }
}

extension Signed.Signer {
    /// Returns `false`: each request is signed and sent once.
    ///
    /// - Parameters:
    ///   - response: the response, which is ignored.
    ///   - request: the signed request, which is ignored.
    /// - Returns: `false`.
    public func shouldSignAgain(after response: HTTPResponse, to request: HTTPRequest) async -> Bool { false }
}
