extension Call {
    /// Sends a request over a transport and tells the observers: of each request that goes out, and of each head that
    /// comes, those of redirects too.
    func observed(
        _ request: CallRequest,
        over transport: any Transport
    ) async throws(TransportError) -> CallResponse {
        let request = sending(request)
        return received(try await transport.send(request.message), to: request)
    }

    // Not inlined: their values need no room for as long as the transport works.
    @inline(never)
    private func sending(_ request: CallRequest) -> CallRequest {
        var request = request
        request.isMeasured = true
        report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length), of: request)
        return request
    }

    @inline(never)
    private func received(_ response: HTTPResponse, to request: CallRequest) -> CallResponse {
        var response = CallResponse(response, to: request)
        response.url = response.url ?? request.url
        report(.head(response.status), of: response)
        return response
    }
}
