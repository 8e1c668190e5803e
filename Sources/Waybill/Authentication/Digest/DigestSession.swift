import WaybillSystem

/// The latest challenge that a user has responded to at an origin, for requests that need not wait for another one.
struct DigestSession: Sendable {
    /// A challenge to respond to.
    struct Turn: Sendable {
        let challenge: DigestChallenge
        /// The number of responses to it, this one included.
        let count: Int
        /// The client nonce of the first response, if the secret is made with it for all that follow (RFC 7616, section
        /// 3.4.2); nil if each response has one of its own.
        let clientNonce: String?
    }

    private let sessions: DigestSessions
    private let key: DigestSessions.Key

    /// Returns the session of a user at the origin of a URL.
    static func of(_ user: String, at url: URL, in shared: ClientStorage) -> DigestSession {
        DigestSession(
            sessions: shared.state(for: "digest") { DigestSessions() },
            key: DigestSessions.Key(user: BytewiseString(user), origin: HTTPRequest.Origin(url))
        )
    }

    /// Returns the challenge once more; nil if none is known.
    func next() -> Turn? { sessions.change(key) { $0.next() } }

    /// Starts a response to a challenge, which another request may have brought already.
    ///
    /// - Parameters:
    ///   - challenge: the challenge.
    ///   - clientNonce: the nonce of all responses, if this request is the first to bring the challenge; nil if each
    ///     response has one of its own.
    /// - Returns: the challenge with the count of this response; nil without a challenge to respond to.
    func begin(_ challenge: DigestChallenge, clientNonce: String?) -> Turn? {
        sessions.change(key) { turns in
            turns.learn(challenge, clientNonce: clientNonce)
            return turns.next()
        }
    }

    /// Stores a challenge for the next request.
    func learn(_ challenge: DigestChallenge, clientNonce: String?) {
        sessions.change(key) { $0.learn(challenge, clientNonce: clientNonce) }
    }

    /// Drops a challenge whose response was rejected.
    func forget(_ challenge: DigestChallenge?) { sessions.change(key) { $0.forget(challenge) } }
}
