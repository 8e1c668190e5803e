/// Something that happens to a call on its way, as a ``CallObserver`` is told of it.
///
/// A call begins once and ends once: `began` is the first of its events, `finished` or `failed` the last.
public struct CallEvent: Sendable {
    /// What happens.
    public enum Kind: Sendable {
        /// The call begins.
        case began
        /// It waits for its turn, because so many others are on their way or have been.
        case queued
        /// A request is given to the transport; its body has so many bytes, where that is known.
        case sent(bodyBytes: Int?)
        /// The head of a response has come; one that redirects is followed by another request.
        case head(HTTPResponse.Status)
        /// The body of a response has been read; so many bytes of it are kept.
        case body(bytes: Int)
        /// An attempt has failed, and another one is made after a while.
        case retried(after: Duration, because: APIError)
        /// The credential was refused or about to expire, and has been replaced.
        case refreshed
        /// The answer is taken from a cache, or another request's.
        case cached(CacheUse)
        /// The call has ended well, its value is there; its response has this status.
        case finished(HTTPResponse.Status)
        /// The call has failed: it was not answered, or not well, or with something else than was declared.
        case failed(APIError)

        /// Whether it is what happens last.
        package var isLast: Bool {
            switch self {
            case .finished, .failed: true
            default: false
            }
        }
    }

    /// Where an answer comes from that was not asked of the server for this call alone.
    public enum CacheUse: Sendable, Hashable {
        /// From a cache, where it is still fresh.
        case fresh
        /// From a cache, though it is not fresh any more.
        case stale
        /// From a cache, after the server has said that nothing has changed.
        case revalidated
        /// From another call for the same, that was on its way.
        case shared
    }

    /// The number of the call, which is the same for all that happens to it; no two of a process have the same.
    public let number: Int

    /// The number of the call for which this one is made, for a token perhaps; nil where there is none that is observed.
    public let parent: Int?

    /// The method.
    public let method: HTTPRequest.Method

    /// The path as it was declared, each value replaced by `{}`.
    public let template: String

    /// The URL with secrets redacted: that of the request or the response, where the event is about one.
    public let url: String

    /// Which attempt it is about, counted from 1.
    public let attempt: Int

    /// The time since the call began.
    public let time: Duration

    /// What happens.
    public let kind: Kind

    /// What only some kinds of events have.
    struct Facts: Sendable {
        var url: String?
        // Redacted when somebody asks. Nor does a dump of the event show what a closure holds.
        var headerFields: @Sendable () -> HTTPFields = { [] }
        var metrics: TransferMetrics?
    }

    private let facts: Facts

    /// The header fields that were sent or came, secrets redacted; none where the event is about neither.
    public var headerFields: HTTPFields { facts.headerFields() }

    /// What the transport has measured so far: of the events `head` and `body`, where it measures.
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
