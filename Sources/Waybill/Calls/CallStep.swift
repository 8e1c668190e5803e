/// A step between a call and the transport, with all that the steps of a call know of its request and response.
package protocol CallStep: Sendable {
    /// The following steps, and the transport.
    typealias Next = @Sendable (CallRequest) async throws(APIError) -> CallResponse

    /// Handles a request: calls `next` with it, or with another one, or not at all.
    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse
}
