import Waybill

/// The digest sessions of a client, with a limit on their number.
final class DigestSessions: Sendable {
    struct Key: Hashable, Sendable {
        let user: BytewiseString
        let origin: HTTPRequest.Origin?
    }

    /// The latest challenge, and the number of responses to it.
    struct Turns: BoundedState {
        private var last: DigestSession.Turn?

        var isInitial: Bool { last == nil }

        // Without a known challenge, a request with a single-use body is always rejected.
        var isSignificant: Bool { true }

        mutating func next() -> DigestSession.Turn? {
            last = last.map {
                DigestSession.Turn(challenge: $0.challenge, count: $0.count + 1, clientNonce: $0.clientNonce)
            }
            return last
        }

        mutating func learn(_ challenge: DigestChallenge, clientNonce: String?) {
            guard last?.challenge != challenge else { return }
            last = DigestSession.Turn(challenge: challenge, count: 0, clientNonce: clientNonce)
        }

        mutating func forget(_ challenge: DigestChallenge?) {
            if last?.challenge == challenge { last = nil }
        }
    }

    private let turns = Locked(LRUStore<Key, Turns>())

    /// The number of sessions.
    var count: Int { turns.withLock { $0.count } }

    func change<Result>(_ key: Key, _ change: (inout Turns) -> Result) -> Result {
        turns.withLock { $0.change(key, new: Turns(), change) }
    }
}
