/// Has calls wait for a network in place of failing.
///
/// ```swift
/// Client(url) {
///     WaitsForConnectivity(upTo: .seconds(60))
///     Retry()
/// }
/// WaitsForConnectivity.none           // calls fail at once, even if an outer scope declares a wait
/// ```
///
/// A call waits before it sends a request while there is no network. It also waits if the network goes while a request
/// is under way, and then sends it again if it may be sent again: if the server cannot have seen it, if its method is
/// idempotent (RFC 9110, section 9.2.2) or among those of ``Retry``, or if it has an idempotency key. A download and a
/// resumable upload continue where they stopped. No attempt of a ``Retry`` is counted meanwhile.
///
/// The call fails if the waits take longer than the limit, with the failure of its last attempt, or with
/// `TransportError.Kind.notConnected` if there was none. A ``Timeout`` includes the waits. Observers see
/// `CallEvent.Kind.disconnected` and `CallEvent.Kind.connected(after:)`. Calls to the machine itself do not wait.
///
/// A limit that is not positive is a declaration error: nothing is sent.
public struct WaitsForConnectivity: Setting {
    /// The longest time of all waits of a call; nil for no waiting.
    public let limit: Duration?

    let monitor: NetworkMonitor?

    /// Declares the wait.
    ///
    /// - Parameters:
    ///   - limit: the longest time of all waits of a call.
    ///   - monitor: the monitor that says whether there is a network.
    public init(upTo limit: Duration, by monitor: NetworkMonitor = .system) {
        self.limit = limit
        self.monitor = monitor
    }

    private init() { (limit, monitor) = (nil, nil) }

    /// No waiting, even if an outer scope declares it.
    public static let none = WaitsForConnectivity()

    /// The limit.
    public var summary: String { limit.map { "up to \($0.shown)" } ?? "none" }

    /// Declares the wait.
    public func declare(in scope: inout Scope) {
        if let limit, limit <= .zero {
            scope.declare(
                DeclarationError(
                    clause: "WaitsForConnectivity",
                    value: "upTo: \(limit.shown)",
                    reason: "give a positive time, or WaitsForConnectivity.none"
                )
            )
        }
        scope.declare(self)
    }
}
