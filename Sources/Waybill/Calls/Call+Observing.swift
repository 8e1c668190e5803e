extension Call {
    /// Sends a request over a transport and tells the observers: of each request that goes out, and of each head that
    /// comes, those of redirects too.
    func observed(
        _ request: CallRequest,
        over transport: any Transport
    ) async throws(TransportError) -> CallResponse {
        var request = request
        request.isMeasured = true
        report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length), of: request)
        var response = CallResponse(try await transport.send(request.message), to: request)
        response.url = response.url ?? request.url
        report(.head(response.status), of: response)
        return response
    }
}
