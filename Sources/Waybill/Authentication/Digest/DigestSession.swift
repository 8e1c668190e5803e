import Foundation

/// The challenge of a server that was answered last, for requests that need not wait for another one.
final class DigestSession: Sendable {
    /// A challenge to answer.
    struct Turn: Sendable {
        let challenge: DigestChallenge
        /// How often it has been answered, this time included.
        let count: Int
        /// The client's nonce of the first answer, where the secret is made with it for all that follow (RFC 7616,
        /// section 3.4.2); nil where each answer has one of its own.
        let clientNonce: String?
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
            turn = turn.map { Turn(challenge: $0.challenge, count: $0.count + 1, clientNonce: $0.clientNonce) }
            return turn
        }
    }

    /// Takes a challenge, which another request may have brought already.
    ///
    /// - Parameter clientNonce: the one for all answers, if this request is the first to bring the challenge; nil
    ///   where each answer has one of its own.
    func begin(_ challenge: DigestChallenge, clientNonce: String?) -> Turn {
        turn.withLock { turn in
            let known = turn.flatMap { $0.challenge == challenge ? $0 : nil }
            let next = Turn(
                challenge: challenge,
                count: (known?.count ?? 0) + 1,
                clientNonce: known?.clientNonce ?? clientNonce
            )
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
