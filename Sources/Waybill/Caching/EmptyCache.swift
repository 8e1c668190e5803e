/// What stands for the cache where a call may use nothing else, and none is declared.
struct EmptyCache: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        throw call.failure(NotCached())
    }
}
