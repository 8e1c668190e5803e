/// The stand-in for a cache in a cache-only call if no cache is declared.
struct EmptyCache: CallStep {
    func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        throw call.failure(Cached.Policy.NotCached())
    }
}
