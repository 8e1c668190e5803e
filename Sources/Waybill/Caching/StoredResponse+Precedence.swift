import WaybillSystem

/// The precedence of responses: the more recent of two counts (RFC 9111, section 4).
extension StoredResponse {
    /// Whether the other one is more recent: by the server's dates, else by the dates of the requests.
    func precedes(_ other: StoredResponse) -> Bool {
        if let own = statedDate, let others = other.statedDate, own != others { return own < others }
        return requestDate < other.requestDate
    }

    /// Whether one that is kept already is more recent, and has come while this one was on its way.
    ///
    /// A response that came before this one was requested does not count: after one wrong date of the server's clock it
    /// would stay.
    func isSuperseded(by other: StoredResponse, at now: Date) -> Bool {
        // One that came after now has come before this machine's date was set back.
        requestDate <= other.responseDate && other.responseDate <= now && precedes(other)
    }
}
