import Waybill

/// A middleware that prints each request as it goes out, and its response.
struct PrintExchanges: Middleware {
    let console: Console

    /// Prints the request, reads the response's body to print it too, and hands both on unchanged.
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        console.sent(request)
        var response = try await next(request)
        do throws(TransportError) {
            let body = try await response.body.collect()
            console.received(response, body: body)
            response.body = HTTPBody(body)
        } catch {
            throw call.failure(error)
        }
        return response
    }
}
