import Waybill

/// A clause that makes calls wait for a network instead of failing.
///
/// ```swift
/// Client(url) {
///     WaitsForConnectivity(maximumWait: .seconds(60))
///     Retry()
/// }
/// WaitsForConnectivity.none           // calls fail at once, even if an outer scope declares a wait
/// ```
///
/// Without a network, a call waits before it sends a request. If the network is lost while a request is in flight, the
/// call waits and sends the request again, but only if the server cannot have received it, if its method is idempotent
/// (RFC 9110, section 9.2.2) or allowed by `Retry`, or if it has an idempotency key. Downloads and resumable uploads
/// continue from where they stopped. Such a repetition does not count as a `Retry` attempt.
///
/// If the total wait exceeds the maximum, the call fails with the error of its last attempt or, without one, with
/// `TransportError.Kind.notConnected`. The waits also count toward a `Timeout`. Observers receive
/// `CallEvent.Kind.disconnected` and `CallEvent.Kind.connected(after:)`. Calls to the local machine never wait.
///
/// A maximum of zero or less is a declaration error: nothing is sent.
public struct WaitsForConnectivity: Setting {
    /// The maximum total time that a call waits; nil if calls do not wait.
    public let maximumWait: Duration?

    let monitor: NetworkMonitor?

    /// Creates the clause with a maximum wait.
    ///
    /// - Parameters:
    ///   - maximumWait: the maximum total time that a call waits.
    ///   - monitor: the monitor of the network.
    public init(maximumWait: Duration, by monitor: NetworkMonitor = .system) {
        self.maximumWait = maximumWait
        self.monitor = monitor
    }

    private init() { (maximumWait, monitor) = (nil, nil) }

    /// No waiting, even if an outer scope declares a wait.
    public static let none = WaitsForConnectivity()

    /// The maximum wait, or `none`.
    public var summary: String { maximumWait.map { "up to \($0.shown)" } ?? "none" }

    /// Declares the wait, and an error if the maximum is zero or less.
    ///
    /// - Parameter scope: the scope to declare it in.
    public func declare(in scope: inout Scope) {
        if let maximumWait, maximumWait <= .zero {
            scope.declare(
                Scope.DeclarationError(
                    clause: "WaitsForConnectivity",
                    value: "maximumWait: \(maximumWait.shown)",
                    reason: "give a positive time, or WaitsForConnectivity.none"
                )
            )
        }
        scope.declare(self)
    }
}
