import Waybill
import WaybillSystem

/// The precedence of responses: the more recent one is used (RFC 9111, section 4).
extension StoredResponse {
    /// Whether another response is more recent, according to the server's dates or, if those are missing or equal, the
    /// request dates.
    func precedes(_ other: StoredResponse) -> Bool {
        if let own = statedDate, let others = other.statedDate, own != others { return own < others }
        return requestDate < other.requestDate
    }

    /// Whether a stored response is more recent, and arrived while this one was in flight.
    ///
    /// A response that arrived before this one was requested never supersedes it; otherwise, a wrong date from the
    /// server would prevent updates.
    func isSuperseded(by other: StoredResponse, at now: Date) -> Bool {
        // A stored response with a later date arrived before the local clock was set back.
        requestDate <= other.responseDate && other.responseDate <= now && precedes(other)
    }
}
