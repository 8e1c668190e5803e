extension CallEvent: CustomStringConvertible {
    /// The call and what happens to it, in one line, secrets redacted.
    public var description: String {
        let attempts = attempt > 1 ? ", attempt \(attempt)" : ""
        return "\(number) \(method) \(template.isEmpty ? "/" : template), \(time.shown)\(attempts): \(kind)"
    }
}

extension CallEvent.Kind: CustomStringConvertible {
    /// The event in one line.
    public var description: String {
        switch self {
        case .began: "began"
        case .queued: "queued"
        case .sent(let bytes?): bytes == 0 ? "sent" : "sent, \(bytes.shownAsBytes)"
        case .sent(nil): "sent, with a body"
        case .head(let status): "head, \(status)"
        case .body(let bytes): "body, \(bytes.shownAsBytes)"
        case .retried(let wait, let error): "again in \(wait.shown), because it \(error.reason)"
        case .restarted(let reason): "from the start, because \(reason)"
        case .refreshed: "credential refreshed"
        case .cached(let use): "\(use)"
        case .finished(let status): "finished, \(status)"
        case .failed(.status(let failure)): "failed, \(failure.status)"
        case .failed(let error): "failed: \(error.reason)"
        }
    }
}

extension CallEvent.RestartReason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .changed: "the file has changed"
        case .rangeIgnored: "the server ignored the range"
        case .unusableRange: "the server sent another range"
        case .rangeRejected: "the server rejected the range"
        case .notResumable: "the earlier part cannot be continued"
        }
    }
}

extension CallEvent.CacheUse: CustomStringConvertible {
    /// The origin of the response, in words.
    public var description: String {
        switch self {
        case .fresh: "from the cache"
        case .stale: "stale from the cache"
        case .revalidated: "revalidated"
        case .shared: "shared with another call"
        }
    }
}

extension APIError {
    /// The ``summary`` without the call.
    package var reason: String {
        let line = summary
        let call = "\(call) "
        return String(line.hasPrefix(call) ? line.dropFirst(call.count) : line[...])
    }
}

extension Int {
    /// The number of bytes as a line of a log has it: `1 byte`, `19 bytes`, `1.2 KB`.
    package var shownAsBytes: String {
        if self < 1000 { return self == 1 ? "1 byte" : "\(self) bytes" }
        var (value, unit) = (Double(self) / 1000, 0)
        let units = ["KB", "MB", "GB", "TB"]
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return "\(value < 99.95 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))") \(units[unit])"
    }
}
