import Foundation

/// A token that is replaced by a new one when it expires, or when a server refuses it.
///
/// ```swift
/// let tokens = RefreshingToken(saved) { occasion in
///     let grant = try await auth.refresh(refreshToken).send()     // declared with Authorization.none
///     return .init(grant.accessToken, expiresIn: .seconds(grant.expiresIn))
/// }
/// let client = Client(url) { Authorization(.bearer(refreshing: tokens)) }
/// ```
///
/// It is made by the app, and shared by all clients whose calls it is for.
///
/// - **Refused** (401): one refresh for however many calls wait. Each of them is sent once more with the new token,
///   whatever its method, since a request that is refused was not acted on; a body that cannot be sent again is not,
///   and the next call begins with the refresh. A call that was refused with an older token than the present one is
///   sent with that. Where the new one is refused too, the 401 is the answer.
/// - **About to expire**: the first call that finds it so starts a refresh and goes on with the token that it has, as
///   do the others. From the moment of expiry on they wait for the new one.
/// - **A refresh that fails** fails all who wait for it with an ``AuthorizationFailure``; the next call tries anew.
///   One that fails ahead of expiry fails nobody.
///
/// A refresh runs in a task of its own: it goes on when the calls that wait for it are cancelled, or their time is up,
/// and has no limit but its own. A call within it that needs the same token fails: it would wait for itself.
public final class RefreshingToken: Sendable {
    /// The token as it is sent, and until when it is good.
    public struct AccessToken: Sendable, Hashable {
        enum Expiry: Sendable, Hashable {
            case unknown
            case date(Date)
            case lifetime(Duration)
        }

        /// The text of the token.
        public let value: String

        let expiry: Expiry

        /// A token that is good until a date; nil where nothing is known of its end.
        public init(_ value: String, expires date: Date? = nil) {
            self.value = value
            expiry = date.map(Expiry.date) ?? .unknown
        }

        /// A token that is good for a while: from the start of the refresh that returns it, or else from its first use.
        public init(_ value: String, expiresIn lifetime: Duration) {
            self.value = value
            expiry = .lifetime(lifetime)
        }
    }

    /// What a token is refreshed for.
    public struct Occasion: Sendable {
        /// The token that was refused, or has expired, or will soon; nil where there is none yet.
        public let token: AccessToken?

        /// What the server asked for when it last refused one: where to get which token.
        ///
        /// Empty where it has not refused any.
        public let challenges: [Challenge]

        /// Creates an occasion, for testing what refreshes.
        public init(token: AccessToken?, challenges: [Challenge] = []) {
            self.token = token
            self.challenges = challenges
        }
    }

    let refreshBefore: Duration
    let waitsForChallenge: Bool
    let waiting: Int
    let refresh: @Sendable (Occasion) async throws -> AccessToken
    let state: Locked<State>

    /// Which tokens are being refreshed by the current task.
    @TaskLocal static var refreshing: [ObjectIdentifier] = []

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - token: the one to begin with; nil where the first call has to wait for one.
    ///   - refreshBefore: how long before its expiry it is refreshed, and at most for half of its life. A negative one
    ///     is a mistake: nothing is sent.
    ///   - waitsForChallenge: whether the first request goes out without a token where there is none, so that the
    ///     refresh gets the server's challenge.
    ///   - waiting: how many calls may wait for a refresh. One more fails at once, with an ``AuthorizationFailure`` for
    ///     ``TooManyWaiting``. Less than 1 is a mistake: nothing is sent.
    ///   - refresh: fetches a new token.
    public init(
        _ token: AccessToken? = nil,
        refreshBefore: Duration = .seconds(60),
        waitsForChallenge: Bool = false,
        waiting: Int = 10_000,
        refresh: @escaping @Sendable (Occasion) async throws -> AccessToken
    ) {
        self.refreshBefore = refreshBefore
        self.waitsForChallenge = waitsForChallenge
        self.waiting = waiting
        self.refresh = refresh
        state = Locked(State(token: token))
    }

    /// The token as it is now.
    public var current: AccessToken? { state.withLock { $0.token } }

    /// How many calls wait for a refresh.
    package var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Whether a refresh is under way.
    package var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// Puts another token in place: after somebody has signed in, or nil after they have signed out.
    ///
    /// Calls that wait go on with it; without one they fail. A refresh that is under way counts for nothing.
    public func replace(with token: AccessToken?) {
        let (waiters, outcome) = state.withLock { state in state.replace(with: token) }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}

extension RefreshingToken.AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "AccessToken(\(Redaction.mark))" }

    /// The same.
    public var debugDescription: String { description }

    /// The time for which the token is good; never the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["value": Redaction.mark, "expiry": expiry], displayStyle: .struct)
    }
}

extension RefreshingToken: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "RefreshingToken(\(Redaction.mark))" }

    /// The time for which the token is good; never the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["current": current as Any], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension Credential {
    /// A bearer token (RFC 6750) that is refreshed when it expires or is refused.
    public static func bearer(refreshing token: RefreshingToken) -> Self {
        Self(scheme: "Bearer", secret: .renewable(token))
    }
}
