/// The lines of a ``RequestLog``.
enum RequestLogLine {
    /// Returns the line about a call that is over; nil for an event that does not end one.
    static func ofCall(_ event: CallEvent, _ outline: CallOutline) -> String? {
        switch event.kind {
        case .finished(let status):
            return "✓ \(call(event)) \(status) in \(event.time.shown)" + facts(event, outline)
        case .failed(.status(let failure)):
            let reason = failure.status.kind == .successful ? ": its body says that it failed" : ""
            return "✗ \(call(event)) \(failure.status) in \(event.time.shown)" + facts(event, outline) + reason
        case .failed(let error):
            return "✗ \(call(event)) in \(event.time.shown)" + facts(event, outline) + ": \(error.reason)"
        default: return nil
        }
    }

    /// Returns the line about an event in between; nil for one that is not worth a line.
    static func between(_ event: CallEvent) -> String? {
        let attempt = event.attempt > 1 ? ", attempt \(event.attempt)" : ""
        switch event.kind {
        case .began, .body, .finished, .failed: return nil
        case .sent(let bytes):
            let size = bytes.map { $0 == 0 ? "" : ", \($0.shownAsBytes)" } ?? ", a stream"
            return "→ \(call(event)) \(event.url)\(size)\(attempt)"
        case .head(let status):
            let reused = event.metrics?.isConnectionReused ?? false ? ", reused" : ""
            return "← \(event.number) \(status) after \(event.time.shown)\(reused)"
        case .queued: return "· \(event.number) waits for its turn"
        case .retried, .restarted, .refreshed, .cached: return "· \(event.number) \(event.kind)"
        }
    }

    private static func call(_ event: CallEvent) -> String {
        "\(event.number) \(event.method) \(event.template.isEmpty ? "/" : event.template)"
    }

    private static func facts(_ event: CallEvent, _ outline: CallOutline) -> String {
        var facts: [String] = []
        if let bytes = outline.bodyBytes { facts.append(bytes.shownAsBytes) }
        if event.attempt > 1 { facts.append("attempt \(event.attempt)") }
        if let use = outline.cacheUse { facts.append("\(use)") }
        if outline.isConnectionReused { facts.append("reused") }
        if let parent = event.parent { facts.append("for \(parent)") }
        return facts.map { ", \($0)" }.joined()
    }
}
