import Waybill

/// The settings of a store.
public struct StoreSettings: Sendable {
    /// The waits before a write is sent again, on top of what its server asks for.
    public var backoff: Retry.Backoff

    /// The most writes that are under way at once.
    public var concurrentCalls: Int

    /// The most writes in one request, for resources with batch operations.
    public var batchSize: Int

    /// Whether writes are sent by themselves; if not, ``Store/synchronize()`` sends them.
    public var sendsByItself: Bool

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - backoff: the waits before a write is sent again, on top of what its server asks for.
    ///   - concurrentCalls: the most writes that are under way at once; at least 1.
    ///   - batchSize: the most writes in one request, for resources with batch operations; 1 sends each by itself.
    ///   - sendsByItself: whether writes are sent by themselves.
    public init(
        backoff: Retry.Backoff = .exponential(from: .seconds(2), to: .seconds(600)),
        concurrentCalls: Int = 4,
        batchSize: Int = 100,
        sendsByItself: Bool = true
    ) {
        self.backoff = backoff
        self.concurrentCalls = max(1, concurrentCalls)
        self.batchSize = max(1, batchSize)
        self.sendsByItself = sendsByItself
    }
}
