extension Call {
    /// Sends a request over a transport and tells the observers: of each request that goes out, and of each head that
    /// comes, those of redirects too.
    package func transfer(
        _ request: CallRequest,
        over transport: any Transport
    ) async throws(TransportError) -> CallResponse {
        if isObserved { reportSending(request) }
        let report = TransferReport(isMeasured: isObserved)
        let message = try await transport.send(request.message, options: options(of: request, report))
        let response = CallResponse(message, to: request, report)
        return isObserved ? reported(response, to: request) : response
    }

    // Not inlined: their values need no room for as long as the transport works.
    @inline(never)
    private func reportSending(_ request: CallRequest) {
        report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length), of: request)
    }

    @inline(never)
    private func reported(_ response: CallResponse, to request: CallRequest) -> CallResponse {
        var response = response
        response.url = response.url ?? request.url
        report(.head(response.status), of: response)
        return response
    }
}
