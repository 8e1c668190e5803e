/// Shares one transfer between identical safe requests that are in flight at the same time.
///
/// ```swift
/// Client(url) { Coalesced() }
/// Coalesced.none              // each request by itself, even if an outer scope declares one
/// ```
///
/// Requests are identical if method, URL, header fields and credential are the same, none has a body other than that of
/// a QUERY, which is the same too, and the middlewares around each attempt are those of the same ``Use``. All get the
/// same response, or the same failure; the first call's clauses decide about retries and limits. A call that is
/// cancelled, or times out, leaves the others alone; when all have left, the transfer is cancelled. A change through
/// the same client to the same URL ends the sharing: a later request gets a transfer of its own. A credential from a
/// source is fetched once more, to tell callers apart.
public struct Coalesced: Setting {
    package let isOn: Bool

    /// Shares transfers.
    public init() { isOn = true }

    private init(isOn: Bool) { self.isOn = isOn }

    /// Each request by itself, even if an outer scope declares one.
    public static let none = Coalesced(isOn: false)

    /// Whether transfers are shared.
    public var summary: String { isOn ? "on" : "none" }
}
