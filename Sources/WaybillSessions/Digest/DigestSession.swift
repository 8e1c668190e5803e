import Waybill
import WaybillSystem

/// A user's digest session with an origin: the latest challenge, reused by later requests to save a round trip.
struct DigestSession: Sendable {
    /// A challenge, and the parameters of one response to it.
    struct Turn: Sendable {
        let challenge: DigestChallenge
        /// The number of responses to the challenge, including this one.
        let count: Int
        /// The client nonce of the first response, if the session's secret is derived from it (RFC 7616, section
        /// 3.4.2); nil if each response uses a new one.
        let clientNonce: String?
    }

    private let sessions: DigestSessions
    private let key: DigestSessions.Key

    /// Returns a user's session with the origin of a URL.
    static func of(_ user: String, at url: URL, in shared: ClientStorage) -> DigestSession {
        DigestSession(
            sessions: shared.state(for: "digest") { DigestSessions() },
            key: DigestSessions.Key(user: BytewiseString(user), origin: HTTPRequest.Origin(url))
        )
    }

    /// Returns the latest challenge with its count incremented; nil before the first challenge.
    func next() -> Turn? { sessions.change(key) { $0.next() } }

    /// Stores a challenge unless another request has already stored it, and begins a response to it.
    ///
    /// - Parameters:
    ///   - challenge: the challenge.
    ///   - clientNonce: the client nonce for all responses to the challenge; nil if each response uses a new one.
    /// - Returns: the challenge with the count of this response.
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
