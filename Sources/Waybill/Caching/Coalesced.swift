/// Has identical safe requests that are on their way at the same time share one transfer.
///
/// ```swift
/// Client(url) { Coalesced() }
/// Coalesced.none              // each request by itself, whatever a farther scope says
/// ```
///
/// Requests are identical where method, URL, header fields and credential are the same, no body goes along, and the
/// middlewares around each attempt are those of the same ``Use``. All get the same response, or the same failure; how
/// often it is tried, and which limits it waits for, is what the call declares that was first. A call that is cancelled, or whose time is up, leaves the others alone; when all
/// have left, the transfer is cancelled. A change through the same client to the same URL ends the sharing: who asks
/// after it gets a transfer of its own. A credential from a source is asked for once more, to tell callers apart.
public struct Coalesced: Setting {
    package let isOn: Bool

    /// Shares transfers.
    public init() { isOn = true }

    private init(isOn: Bool) { self.isOn = isOn }

    /// Each request by itself, whatever a farther scope says.
    public static let none = Coalesced(isOn: false)

    /// Whether transfers are shared.
    public var summary: String { isOn ? "on" : "none" }
}
