import Waybill

/// A clause that shares one transfer among identical safe requests in flight.
///
/// ```swift
/// Client(url) { Coalesced() }
/// Coalesced.none              // each request by itself, even if an outer scope declares one
/// ```
///
/// Requests are identical if they have the same method, URL, header fields, credential, success statuses, redirect
/// policy, link origin and body limits, and if the same `Use` clause declares the middleware for their attempts. They
/// must have no body, or be QUERY requests with the same body. All of them receive the same response or failure; the
/// clauses of the first call determine how the transfer is retried and limited. A call that is cancelled or times out
/// does not affect the others. If all calls end this way, the transfer is cancelled. After a change to the same URL
/// through the same client, later requests start a new transfer. A credential fetched for each request is fetched once
/// more to identify the caller.
public struct Coalesced: Setting {
    package let isOn: Bool

    /// Creates the clause, which enables sharing.
    public init() { isOn = true }

    private init(isOn: Bool) { self.isOn = isOn }

    /// No sharing, even if an outer scope declares it.
    public static let none = Coalesced(isOn: false)

    /// `on` if transfers are shared, otherwise `none`.
    public var summary: String { isOn ? "on" : "none" }
}
