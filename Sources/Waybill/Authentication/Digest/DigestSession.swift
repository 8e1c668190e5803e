import Foundation

/// The challenge that a user at an origin answered last, for requests that need not wait for another one.
struct DigestSession: Sendable {
    /// A challenge to answer.
    struct Turn: Sendable {
        let challenge: DigestChallenge
        /// How often it has been answered, this time included.
        let count: Int
        /// The client's nonce of the first answer, where the secret is made with it for all that follow (RFC 7616,
        /// section 3.4.2); nil where each answer has one of its own.
        let clientNonce: String?
    }

    private let sessions: DigestSessions
    private let key: DigestSessions.Key

    /// The session of a user at the origin of a URL.
    static func of(_ user: String, at url: URL, in shared: SharedState) -> DigestSession {
        DigestSession(
            sessions: shared.state(for: "digest") { DigestSessions() },
            key: DigestSessions.Key(user: BytewiseString(user), origin: Origin(url))
        )
    }

    /// The challenge once more; nil where none is known.
    func next() -> Turn? { sessions.change(key) { $0.next() } }

    /// Takes a challenge, which another request may have brought already, to answer it now.
    ///
    /// - Parameter clientNonce: the one for all answers, if this request is the first to bring the challenge; nil
    ///   where each answer has one of its own.
    func begin(_ challenge: DigestChallenge, clientNonce: String?) -> Turn? {
        sessions.change(key) { turns in
            turns.learn(challenge, clientNonce: clientNonce)
            return turns.next()
        }
    }

    /// Takes a challenge for the next request to answer.
    func learn(_ challenge: DigestChallenge, clientNonce: String?) {
        sessions.change(key) { $0.learn(challenge, clientNonce: clientNonce) }
    }

    /// Drops a challenge whose answer was refused.
    func forget(_ challenge: DigestChallenge?) { sessions.change(key) { $0.forget(challenge) } }
}
