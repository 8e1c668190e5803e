/// An event of a call, for a ``CallObserver``.
///
/// A call begins once and ends once: `began` is the first of its events, `finished` or `failed` the last.
public struct CallEvent: Sendable {
    /// The kind of an event.
    public enum Kind: Sendable {
        /// The call begins.
        case began
        /// It waits for its turn, because of a limit on calls.
        case queued
        /// A request is passed to the transport; the value is the size of its body, if it is known.
        case sent(bodyBytes: Int?)
        /// The head of a response has come; one that redirects is followed by another request.
        case head(HTTPResponse.Status)
        /// The body of a response has been read; the value is the number of its kept bytes.
        case body(bytes: Int)
        /// An attempt has failed, and another one is made after a while.
        case retried(after: Duration, because: APIError)
        /// A download starts again from its first byte, and drops what it had of the file.
        case restarted(because: RestartReason)
        /// The credential was rejected or about to expire, and has been replaced.
        case refreshed
        /// The response is taken from a cache, or from another request.
        case cached(CacheUse)
        /// The call has ended well, its value is there; its response has this status.
        case finished(HTTPResponse.Status)
        /// The call has failed: without a response, with a failed one, or with one that does not match the declaration.
        case failed(APIError)

        /// Whether it is what happens last.
        package var isLast: Bool {
            switch self {
            case .finished, .failed: true
            default: false
            }
        }
    }

    /// The origin of a response that was not sent by the server for this call alone.
    public enum CacheUse: Sendable, Hashable {
        /// From a cache, still fresh.
        case fresh
        /// From a cache, though it is not fresh any more.
        case stale
        /// From a cache, after the server has said that nothing has changed.
        case revalidated
        /// From the transfer of another call with the same request.
        case shared
    }

    /// The reasons for which a download cannot continue where it stopped.
    public enum RestartReason: Sendable, Hashable, CaseIterable {
        /// The server has another version of the file.
        case changed
        /// The server sent the whole file in place of the rest.
        case rangeIgnored
        /// The server sent a part that does not continue the file, or that says too little of itself.
        case unusableRange
        /// The server rejected the range, with 416.
        case rangeRejected
        /// The response had no strong validator, had a content coding, or was the response to another endpoint; or the
        /// part has other bytes than were written.
        case notResumable
    }

    /// The number of the call, which is the same for all that happens to it; no two of a process have the same.
    public let number: Int

    /// The number of the call for which this one is made, such as for a token; nil if there is no such call, or it has
    /// no observers.
    public let parent: Int?

    /// The method.
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
        var metrics: TransferMetrics?
    }

    private let facts: Facts

    /// The header fields of the request or response, secrets redacted; empty if the event is about neither.
    public var headerFields: HTTPFields { facts.headerFields() }

    /// The measurements of the transport so far, in the events `head` and `body`, if the transport measures.
    public var metrics: TransferMetrics? { facts.metrics }

    /// Creates an event, for tests of an observer.
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
        metrics: TransferMetrics? = nil
    ) {
        self.init(
            number: number,
            parent: parent,
            method: method,
            template: template,
            url: url,
            attempt: attempt,
            time: time,
            kind: kind,
            facts: Facts(headerFields: { headerFields }, metrics: metrics)
        )
    }

    init(
        number: Int,
        parent: Int?,
        method: HTTPRequest.Method,
        template: String,
        url: String,
        attempt: Int,
        time: Duration,
        kind: Kind,
        facts: Facts
    ) {
        self.number = number
        self.parent = parent
        self.method = method
        self.template = template
        self.url = url
        self.attempt = attempt
        self.time = time
        self.kind = kind
        self.facts = facts
    }
}
