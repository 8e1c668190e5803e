/// An event of a call, for a ``CallObserver``.
///
/// A call begins once and ends once: `began` is the first of its events, `finished` or `failed` the last.
public struct CallEvent: Sendable {
    /// The kind of an event.
    public enum Kind: Sendable {
        /// The call begins.
        case began
        /// The call waits for its turn, because of a limit on calls.
        case queued
        /// There is no network, and the call waits for one.
        case disconnected
        /// There is a network again, after this wait.
        case connected(after: Duration)
        /// A request is passed to the transport; the value is the size of its body, if it is known.
        case sent(bodyBytes: Int?)
        /// The head of a response has arrived; one that redirects is followed by another request.
        case head(HTTPResponse.Status)
        /// The body of a response has been read; the value is the number of its kept bytes.
        case body(bytes: Int)
        /// An attempt has failed, and another one is made after a while.
        case retried(after: Duration, because: APIError)
        /// A download starts again from its first byte, and drops the bytes that it had.
        case restarted(because: RestartReason)
        /// The credential was rejected or about to expire, and has been replaced.
        case refreshed
        /// The response is taken from a cache, or from another request.
        case cached(CacheUse)
        /// A body is sent as it is, because the server does not accept the content coding of ``Compressed``.
        case uncompressed(Compressed.Coding)
        /// A response sets a cookie that the jar of ``Cookies`` does not keep.
        case cookieRejected(CookieJar.Rejection)
        /// The call has succeeded, with a response of this status.
        case finished(HTTPResponse.Status)
        /// The call has failed: without a response, with a failed one, or with one that does not match the declaration.
        case failed(APIError)

        /// Whether the event is the last of its call.
        package var isLast: Bool {
            switch self {
            case .finished, .failed: true
            default: false
            }
        }
    }

    /// The origin of a response that was not sent by the server for this call alone.
    public enum CacheUse: Sendable, Hashable {
        /// A cache, which has a fresh response.
        case fresh
        /// A cache, whose response is not fresh any more.
        case stale
        /// A cache, after the server has said that nothing has changed.
        case revalidated
        /// The transfer of another call with the same request.
        case shared
    }

    /// The reasons for which a download cannot continue where it stopped.
    public enum RestartReason: Sendable, Hashable, CaseIterable {
        /// The server has another version of the file.
        case changed
        /// The server sent the whole file in place of the rest.
        case rangeIgnored
        /// The server sent a part that cannot be appended, such as one that leaves a gap.
        case unusableRange
        /// The server rejected the range, with 416.
        case rangeRejected
        /// The part cannot be continued: its response had no strong validator, had a content coding, or was that of
        /// another endpoint; or the part has other bytes than were written.
        case notResumable
    }

    /// The number of the call, the same in all of its events; no two calls of a process share one.
    public let number: Int

    /// The number of the call for which this one is made, such as for a token; nil if there is no such call, or it has
    /// no observers.
    public let parent: Int?

    /// The method of the call.
    public let method: HTTPRequest.Method

    /// The path as it was declared, each value replaced by `{}`.
    public let template: String

    /// The URL with secrets redacted: that of the request or the response, if the event is about one.
    public let url: String

    /// The attempt that the event is about, counted from 1.
    public let attempt: Int

    /// The time since the call began.
    public let time: Duration

    /// The kind of the event.
    public let kind: Kind

    /// The facts that only some kinds of events have.
    struct Facts: Sendable {
        var url: String?
        // Redacted only on access. A dump of the event does not show what a closure holds either.
        var headerFields: @Sendable () -> HTTPFields = { [] }
        var metrics: TransferReport.Metrics?
    }

    var facts: Facts

    /// The header fields of the request or response, secrets redacted; empty if the event is about neither.
    public var headerFields: HTTPFields { facts.headerFields() }

    /// The measurements of the transport so far, in the events `head` and `body`, if the transport measures.
    public var metrics: TransferReport.Metrics? { facts.metrics }

    /// Creates an event, for tests of an observer.
    ///
    /// - Parameters:
    ///   - number: the number of the call.
    ///   - parent: the number of the call for which this one is made; nil without one.
    ///   - method: the method of the call.
    ///   - template: the path as it was declared, each value replaced by `{}`.
    ///   - url: the URL with secrets redacted.
    ///   - attempt: the attempt that the event is about, counted from 1.
    ///   - time: the time since the call began.
    ///   - kind: the kind of the event.
    ///   - headerFields: the header fields of the request or response, secrets redacted.
    ///   - metrics: the measurements of the transport.
    public init(
        number: Int,
        parent: Int? = nil,
        method: HTTPRequest.Method = .get,
        template: String = "",
        url: String = "",
        attempt: Int = 1,
        time: Duration = .zero,
        kind: Kind,
        headerFields: HTTPFields = [],
        metrics: TransferReport.Metrics? = nil
    ) {
        self.number = number
        self.parent = parent
        self.method = method
        self.template = template
        self.url = url
        self.attempt = attempt
        self.time = time
        self.kind = kind
        facts = Facts(headerFields: { headerFields }, metrics: metrics)
    }
}

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
        case .disconnected: "waits for a network"
        case .connected(let wait): "has a network after \(wait.shown)"
        case .sent(let bytes?): bytes == 0 ? "sent" : "sent, \(bytes.shownAsBytes)"
        case .sent(nil): "sent, with a body"
        case .head(let status): "head, \(status)"
        case .body(let bytes): "body, \(bytes.shownAsBytes)"
        case .retried(let wait, let error): "again in \(wait.shown), because it \(error.reason)"
        case .restarted(let reason): "from the start, because \(reason)"
        case .refreshed: "credential refreshed"
        case .cached(let use): "\(use)"
        case .uncompressed(let coding): "not compressed, because the server does not accept \(coding.rawValue)"
        case .cookieRejected(let rejection): "\(rejection)"
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
