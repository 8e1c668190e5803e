/// A user and a password that are not sent themselves, but answer the challenges of a server.
package protocol ChallengedSecret: Sendable {
    /// The user.
    var user: String { get }

    /// The password.
    var password: String { get }

    /// The error in the declaration of the secret; nil if it is valid.
    var declarationError: DeclarationError? { get }

    /// The option of `curl` for the scheme.
    var curlOption: String { get }

    /// Sends a request with a response to the known challenge, and once more with a response to a new one.
    ///
    /// - Parameters:
    ///   - request: the request, with everything but the response to a challenge and a signature.
    ///   - call: the call.
    ///   - next: a closure that signs a request and sends it.
    /// - Returns: the response.
    /// - Throws: the errors of `next`, and ``APIError/authorization(_:)`` if no valid response can be computed.
    func send(
        _ request: CallRequest,
        of call: Call,
        next: @escaping CallStep.Next
    ) async throws(APIError) -> CallResponse
}
