/// An event in the course of a call, as received by a ``CallObserver``.
///
/// A call begins once and ends once: its first event is `began`, and its last is `finished` or `failed`.
public struct CallEvent: Sendable {
    /// The kind of an event.
    public enum Kind: Sendable {
        /// The call begins.
        case began
        /// The call is queued because of a `Limit`.
        case queued
        /// No network is available, and the call waits for one.
        case disconnected
        /// A network is available after the given wait.
        case connected(after: Duration)
        /// A request is passed to the transport; the value is the body size in bytes, if known.
        case sent(bodyBytes: Int?)
        /// The head of a response has arrived; a redirect is followed by another request.
        case head(HTTPResponse.Status)
        /// The body of a response has been read; the value is its size in bytes. For a failed response, bytes beyond
        /// the limit of ``BodyLimits`` are not included.
        case body(bytes: Int)
        /// An attempt has failed, and another one follows after a wait.
        case retried(after: Duration, because: APIError)
        /// A download restarts from its first byte and discards the bytes received so far.
        case restarted(because: RestartReason)
        /// The credential was rejected or about to expire, and has been replaced.
        case refreshed
        /// The response comes from a cache or from another request.
        case cached(CacheUse)
        /// A clause reports a note, such as a rejected cookie.
        case noted(any Note)
        /// The call has succeeded with the given status.
        case finished(HTTPResponse.Status)
        /// The call has failed: without a response, with a response that reports a failure, or with a response that
        /// does not match the declaration.
        case failed(APIError)

        /// Whether the event is the last of its call.
        package var isLast: Bool {
            switch self {
            case .finished, .failed: true
            default: false
            }
        }
    }

    /// A clause's report about a call; its description is one line without secrets.
    ///
    /// Each clause documents the types of notes that it reports.
    ///
    /// ```swift
    /// Observe { event in
    ///     if case .noted(let note) = event.kind { print(note) }
    /// }
    /// ```
    public protocol Note: Sendable, CustomStringConvertible {
        /// The name of the note in a log, in lower camel case.
        static var name: String { get }
    }

    /// The source of a response that the server did not send exclusively for this call.
    public enum CacheUse: Sendable, Hashable {
        /// A fresh response from a cache.
        case fresh
        /// A stale response from a cache.
        case stale
        /// A cached response that the server has confirmed to be unchanged.
        case revalidated
        /// A transfer shared with another call that has the same request.
        case shared
    }

    /// The reason why a download cannot be resumed.
    public enum RestartReason: Sendable, Hashable, CaseIterable {
        /// The server has a different version of the file.
        case changed
        /// The server sent the whole file instead of the rest.
        case rangeIgnored
        /// The server sent a part that cannot be appended, such as one that leaves a gap.
        case unusableRange
        /// The server rejected the range with status 416.
        case rangeRejected
        /// The partial file cannot be continued: its response had no strong validator, had a content coding, or
        /// belonged to a different endpoint, or its bytes have changed since they were written.
        case notResumable
    }

    /// The number of the call, shared by all of its events and unique in the process.
    public let number: Int

    /// The number of the call on whose behalf this one is made, for example to fetch a token; nil if there is no such
    /// call, or if it has no observers.
    public let parent: Int?

    /// The method of the call.
    public let method: HTTPRequest.Method

    /// The declared path with each value replaced by `{}`, or the declared ``Call/Name``.
    public let template: String

    /// The URL of the event's request or response, or otherwise of the call, with secrets redacted.
    public let url: String

    /// The number of the event's attempt, counted from 1.
    public let attempt: Int

    /// The time since the call began.
    public let time: Duration

    /// The kind of the event.
    public let kind: Kind

    /// The properties that exist only for some kinds of events.
    struct Facts: Sendable {
        var url: String?
        // A closure, so that redaction happens only on access, and a dump of the event does not show the fields.
        var headerFields: @Sendable () -> HTTPFields = { [] }
        var metrics: TransferOptions.Report.Metrics?
    }

    var facts: Facts

    /// The header fields of the request or response, with secrets redacted; empty for other events.
    public var headerFields: HTTPFields { facts.headerFields() }

    /// The transport's metrics so far, for response events such as `head` and `body`; nil for other events, or if the
    /// transport does not collect metrics.
    public var metrics: TransferOptions.Report.Metrics? { facts.metrics }

    /// Creates an event, for testing observers.
    ///
    /// - Parameters:
    ///   - number: the number of the call.
    ///   - parent: the number of the call on whose behalf this one is made; nil without one.
    ///   - method: the method of the call.
    ///   - template: the declared path with each value replaced by `{}`.
    ///   - url: the URL with secrets redacted.
    ///   - attempt: the number of the event's attempt, counted from 1.
    ///   - time: the time since the call began.
    ///   - kind: the kind of the event.
    ///   - headerFields: the header fields of the request or response, with secrets redacted.
    ///   - metrics: the transport's metrics; nil if it does not collect any.
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
        metrics: TransferOptions.Report.Metrics? = nil
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
    /// The call and the event on one line, with secrets redacted.
    public var description: String {
        let attempts = attempt > 1 ? ", attempt \(attempt)" : ""
        return "\(number) \(method) \(template.isEmpty ? "/" : template), \(time.shown)\(attempts): \(kind)"
    }
}

extension CallEvent.Kind: CustomStringConvertible {
    /// The event on one line.
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
        case .noted(let note): "\(note)"
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
    /// The source of the response in words.
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
    /// The number of bytes as written in a log: `1 byte`, `19 bytes`, `1.2 KB`.
    package var shownAsBytes: String {
        if self < 1000 { return self == 1 ? "1 byte" : "\(self) bytes" }
        var (value, unit) = (Double(self) / 1000, 0)
        let units = ["KB", "MB", "GB", "TB"]
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return "\(value < 99.95 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))") \(units[unit])"
    }
}
