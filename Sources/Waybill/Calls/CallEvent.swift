/// Something that happens to a call on its way, as a ``CallObserver`` is told of it.
public struct CallEvent: Sendable {
    /// What happens.
    public enum Kind: Sendable {
        /// The call begins.
        case began
        /// It waits for its turn, because so many others are on their way or have been.
        case queued
        /// A request is given to the transport; its body has so many bytes, where that is known.
        case sent(bodyBytes: Int?)
        /// The head of a response has come.
        case head(HTTPResponse.Status)
        /// The body of a response has been read; it has so many bytes.
        case body(bytes: Int)
        /// An attempt has failed, and another one is made after a while.
        case retried(after: Duration, because: APIError)
        /// The credential was refused or about to expire, and has been replaced.
        case refreshed
        /// The answer is taken from a cache, or another request's.
        case cached(CacheUse)
        /// The call has ended well; its response has this status.
        case finished(HTTPResponse.Status)
        /// The call has failed.
        case failed(APIError)
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

    /// The method.
    public let method: HTTPRequest.Method

    /// The path as it was declared, each value replaced by `{}`.
    public let template: String

    /// The URL with secrets redacted.
    public let url: String

    /// Which attempt it is about, counted from 1.
    public let attempt: Int

    /// The time since the call began.
    public let time: Duration

    /// What happens.
    public let kind: Kind
}
