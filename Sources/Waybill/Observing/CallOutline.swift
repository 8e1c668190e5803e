/// The events of a call that its log line mentions.
struct CallOutline: Sendable {
    private(set) var bodyBytes: Int?
    private(set) var isConnectionReused = false
    private(set) var cacheUse: CallEvent.CacheUse?

    mutating func add(_ event: CallEvent) {
        switch event.kind {
        case .sent:
            // The line is about the last request.
            bodyBytes = nil
            isConnectionReused = false
        case .head: isConnectionReused = event.metrics?.isConnectionReused ?? false
        case .body(let bytes):
            bodyBytes = bytes
            isConnectionReused = event.metrics?.isConnectionReused ?? isConnectionReused
        case .cached(let use): cacheUse = use
        case .began, .queued, .retried, .restarted, .refreshed, .finished, .failed: break
        }
    }
}
