import Waybill
import WaybillLimits

/// The settings for sending a store's writes.
public struct StoreSettings: Sendable {
    /// The delays before a write is retried, in addition to any that the server requests.
    public var backoff: Retry.Backoff

    /// The maximum number of concurrent requests.
    public var concurrentCalls: Int

    /// The maximum number of writes per request, for resources with batch operations.
    public var batchSize: Int

    /// Whether writes are sent automatically; if not, ``Store/synchronize(whole:)`` sends them.
    public var sendsAutomatically: Bool

    /// The network monitor that pauses automatic sending while there is no network; nil to send without checking.
    public var network: NetworkMonitor?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - backoff: the delays before a write is retried, in addition to any that the server requests.
    ///   - concurrentCalls: the maximum number of concurrent requests; at least 1.
    ///   - batchSize: the maximum number of writes per request, for resources with batch operations; 1 sends each write
    ///     in its own request.
    ///   - sendsAutomatically: whether writes are sent automatically.
    ///   - network: the network monitor, such as `.system`. Writes wait while it reports no network, and are sent as
    ///     soon as the network is back, regardless of the backoff. Pass nil to send without checking for a network.
    public init(
        backoff: Retry.Backoff = .exponential(from: .seconds(2), to: .seconds(600)),
        concurrentCalls: Int = 4,
        batchSize: Int = 100,
        sendsAutomatically: Bool = true,
        network: NetworkMonitor? = nil
    ) {
        self.backoff = backoff
        self.concurrentCalls = max(1, concurrentCalls)
        self.batchSize = max(1, batchSize)
        self.sendsAutomatically = sendsAutomatically
        self.network = network
    }
}
