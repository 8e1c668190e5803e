/// The transport of a call that is observed: each request that goes out is told, and each head that comes, those of
/// redirects too.
struct ObservedTransport: Transport {
    let transport: any Transport
    let call: Call

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let call = call.at(attempt: request.attempt)
        var request = request
        request.isMeasured = true
        call.report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length), of: request)
        var response = try await transport.send(request)
        response.url = response.url ?? request.url
        response.request = request
        call.report(.head(response.status), of: response)
        return response
    }
}
