import Foundation

/// The challenge of a server that was answered last, for requests that need not wait for another one.
final class DigestSession: Sendable {
    /// A challenge to answer.
    struct Turn: Sendable {
        let challenge: DigestChallenge
        /// How often it has been answered, this time included.
        let count: Int
    }

    private struct Key: Hashable, Sendable {
        let user: String
        let origin: Origin?
    }

    private let turn = Locked<Turn?>(nil)

    /// The session of a user at the origin of a URL.
    static func of(_ user: String, at url: URL, in shared: SharedState) -> DigestSession {
        shared.state(for: Key(user: user, origin: Origin(url))) { DigestSession() }
    }

    /// The challenge once more; nil where none is known.
    func next() -> Turn? {
        turn.withLock { turn in
            turn = turn.map { Turn(challenge: $0.challenge, count: $0.count + 1) }
            return turn
        }
    }

    /// Takes a challenge, which another request may have brought already.
    func begin(_ challenge: DigestChallenge) -> Turn {
        turn.withLock { turn in
            let count = turn?.challenge == challenge ? turn?.count ?? 0 : 0
            let next = Turn(challenge: challenge, count: count + 1)
            turn = next
            return next
        }
    }

    /// Drops a challenge whose answer was refused.
    func forget(_ challenge: DigestChallenge?) {
        turn.withLock { turn in
            if turn?.challenge == challenge { turn = nil }
        }
    }
}
