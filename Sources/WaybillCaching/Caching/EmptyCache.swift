import Waybill

/// The step of a cache-only call without a declared cache, which always fails.
struct EmptyCache: CallStep {
    func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        throw call.failure(Cached.Policy.NotCached())
    }
}
