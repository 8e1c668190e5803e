import Foundation

/// Which of two answers is the more recent one (RFC 9111, section 4).
extension StoredResponse {
    /// Whether the other one is more recent: by what the server says, else by when they were asked for.
    func precedes(_ other: StoredResponse) -> Bool {
        if let own = statedDate, let others = other.statedDate, own != others { return own < others }
        return requestDate < other.requestDate
    }

    /// Whether one that is kept already is more recent, and has come while this one was on its way.
    ///
    /// What had come before this one was asked for is not: a server's clock that was wrong once would have it stay.
    func isSuperseded(by other: StoredResponse, at now: Date) -> Bool {
        // One that came after now has come before this machine's date was set back.
        requestDate <= other.responseDate && other.responseDate <= now && precedes(other)
    }
}
