import Waybill

/// The settings of a store.
public struct StoreSettings: Sendable {
    /// The waits before a write is sent again, on top of what its server asks for.
    public var backoff: Retry.Backoff

    /// The most writes that are under way at once.
    public var concurrentCalls: Int

    /// The most writes in one request, for resources with batch operations.
    public var batchSize: Int

    /// Whether writes are sent by themselves; if not, ``Store/synchronize(whole:)`` sends them.
    public var sendsByItself: Bool

    /// The monitor of the network, without which no write is sent by itself; nil if writes find out by being sent.
    public var network: NetworkMonitor?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - backoff: the waits before a write is sent again, on top of what its server asks for.
    ///   - concurrentCalls: the most writes that are under way at once; at least 1.
    ///   - batchSize: the most writes in one request, for resources with batch operations; 1 sends each by itself.
    ///   - sendsByItself: whether writes are sent by themselves.
    ///   - network: the monitor of the network, such as `.system`. Without one, writes wait; when it is back,
    ///     they are sent at once, whatever the backoff says. Nil if writes find out by being sent.
    public init(
        backoff: Retry.Backoff = .exponential(from: .seconds(2), to: .seconds(600)),
        concurrentCalls: Int = 4,
        batchSize: Int = 100,
        sendsByItself: Bool = true,
        network: NetworkMonitor? = nil
    ) {
        self.backoff = backoff
        self.concurrentCalls = max(1, concurrentCalls)
        self.batchSize = max(1, batchSize)
        self.sendsByItself = sendsByItself
        self.network = network
    }
}
