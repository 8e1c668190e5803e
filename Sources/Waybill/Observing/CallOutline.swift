/// What a line about a whole call says of what happened on its way.
struct CallOutline: Sendable {
    private(set) var bodyBytes: Int?
    private(set) var isConnectionReused = false
    private(set) var cacheUse: CallEvent.CacheUse?

    mutating func add(_ event: CallEvent) {
        switch event.kind {
        case .sent:
            // What is told is about the last request.
            bodyBytes = nil
            isConnectionReused = false
        case .head: isConnectionReused = event.metrics?.isConnectionReused ?? false
        case .body(let bytes):
            bodyBytes = bytes
            isConnectionReused = event.metrics?.isConnectionReused ?? isConnectionReused
        case .cached(let use): cacheUse = use
        case .began, .queued, .retried, .refreshed, .finished, .failed: break
        }
    }
}
