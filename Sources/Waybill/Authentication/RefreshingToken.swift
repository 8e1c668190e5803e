import WaybillSystem

/// A token that is replaced by a new one when it expires, or when a server rejects it.
///
/// ```swift
/// let tokens = RefreshingToken(saved) { context in
///     let grant = try await auth.refresh(refreshToken).send()     // declared with Authorization.none
///     return .init(grant.accessToken, expiresIn: .seconds(grant.expiresIn))
/// }
/// let client = Client(url) { Authorization(.bearer(refreshing: tokens)) }
/// ```
///
/// The app creates it, and shares it between all clients whose calls it is for.
///
/// - **Rejected** (401): one refresh for however many calls wait. Each of them is sent once more with the new token,
///   whatever its method, since a server does not act on a request that it rejects. A body that cannot be sent again is
///   not, and the next call begins with the refresh. A call that was rejected with an older token than the present one
///   is sent with the present one. If the new token is rejected too, the call ends with the 401.
/// - **About to expire**: the first call that notices starts a refresh, and continues with the token that it has, as do
///   the others. From the moment of expiry on they wait for the new one. If a new one has expired already when its
///   refresh returns it, a clock is wrong: it is used until the server rejects it.
/// - **A refresh that fails** fails all calls that wait for it with an ``APIError/AuthorizationFailure``; the next call
///   tries anew. If it fails ahead of expiry, no call fails.
///
/// A refresh runs in a task of its own: it continues if the calls that wait for it are cancelled or time out, and has
/// no limit but its own. A call within it that needs the same token fails: it would wait for itself.
public final class RefreshingToken: Sendable {
    /// The token in the form in which it is sent, and its expiry.
    public struct AccessToken: Sendable, Hashable {
        enum Expiry: Sendable, Hashable {
            case unknown
            case date(Date)
            case lifetime(Duration)
        }

        /// The text of the token.
        public let value: String

        let expiry: Expiry

        /// Creates a token that is good until a date; nil if its end is unknown.
        ///
        /// - Parameters:
        ///   - value: the text of the token.
        ///   - date: the date of its end; nil if that is unknown.
        public init(_ value: String, expires date: Date? = nil) {
            self.value = value
            expiry = date.map(Expiry.date) ?? .unknown
        }

        /// Creates a token that is good for a while: from the start of the refresh that returns it, or else from its
        /// first use.
        ///
        /// - Parameters:
        ///   - value: the text of the token.
        ///   - lifetime: the time for which it is good, in OAuth 2.0 the seconds of `expires_in`.
        public init(_ value: String, expiresIn lifetime: Duration) {
            self.value = value
            expiry = .lifetime(lifetime)
        }
    }

    /// The context of a token refresh.
    public struct RefreshContext: Sendable {
        /// The token that was rejected, has expired or is about to; nil before the first token.
        public let token: AccessToken?

        /// The header fields of the server's latest rejection: some servers send the next token in one of them.
        ///
        /// Empty unless the server has rejected one. No text of the context has their values.
        public let headerFields: HTTPFields

        /// The challenges of the server's latest rejection: they name the place and the kind of token to get.
        ///
        /// Empty unless the server has rejected one with a challenge.
        public var challenges: [Challenge] { Challenge.all(in: headerFields) }

        /// Creates a context, for testing what refreshes.
        public init(token: AccessToken?, headerFields: HTTPFields = []) {
            self.token = token
            self.headerFields = headerFields
        }
    }

    package let rejectedStatuses: HTTPResponse.StatusSet
    let isRejection: @Sendable (Rejection) -> Bool
    let refreshBefore: Duration
    let waitsForChallenge: Bool
    let waiting: Int
    let refresh: @Sendable (RefreshContext) async throws -> AccessToken
    let state: Locked<State>

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - token: the first token; nil if the first call has to wait for one.
    ///   - refreshBefore: the time before its expiry at which it is refreshed, at most half of its life. A negative one
    ///     is a declaration error: nothing is sent.
    ///   - waitsForChallenge: whether the first request goes out although no token is known, so that the refresh
    ///     gets the server's challenge, or the header field in which the rejection has the token.
    ///   - waiting: the most calls that may wait for a refresh. One more fails at once, with an
    ///     ``APIError/AuthorizationFailure`` for ``TooManyWaiting``. Less than 1 is a declaration error: nothing is
    ///     sent.
    ///   - statuses: the statuses that can mean a rejected token.
    ///   - isRejection: whether a response with such a status means it. Not every 401 does, if a server also sends one
    ///     for a missing second factor; and a server that has errors in a 200 is declared with `.success`.
    ///   - refresh: fetches a new token.
    public init(
        _ token: AccessToken? = nil,
        refreshBefore: Duration = .seconds(60),
        waitsForChallenge: Bool = false,
        waiting: Int = 10_000,
        rejectedBy statuses: HTTPResponse.StatusSet = 401,
        when isRejection: @escaping @Sendable (Rejection) -> Bool = { _ in true },
        refresh: @escaping @Sendable (RefreshContext) async throws -> AccessToken
    ) {
        rejectedStatuses = statuses
        self.isRejection = isRejection
        self.refreshBefore = refreshBefore
        self.waitsForChallenge = waitsForChallenge
        self.waiting = waiting
        self.refresh = refresh
        state = Locked(State(token: token))
    }

    /// The current token.
    public var current: AccessToken? { state.withLock { $0.token } }

    /// The number of calls that wait for a refresh.
    package var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Whether a refresh is under way.
    package var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// Replaces the token: by a new one after the user has signed in, by nil after they have signed out.
    ///
    /// Waiting calls continue with the new token; without one they fail. The result of a refresh in flight is
    /// discarded.
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

    /// The remaining lifetime of the token; never the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["value": Redaction.mark, "expiry": expiry], displayStyle: .struct)
    }
}

extension RefreshingToken.RefreshContext: CustomStringConvertible, CustomReflectable {
    /// Never the token, nor the values of the header fields.
    public var description: String { "RefreshContext(\(Redaction.mark))" }

    /// The remaining lifetime of the token, and the names of the header fields.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["token": token as Any, "headerFields": headerFields.map(\.name)],
            displayStyle: .struct
        )
    }
}

extension RefreshingToken: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "RefreshingToken(\(Redaction.mark))" }

    /// The remaining lifetime of the token; never the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["current": current as Any], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension Authorization.Credential {
    /// Returns a bearer token (RFC 6750) that is refreshed when it expires or is rejected.
    public static func bearer(refreshing token: RefreshingToken) -> Self {
        Self(scheme: "Bearer", secret: .renewable(token))
    }

    /// Returns a token of another scheme, such as `TOKEN`, that is refreshed when it expires or is rejected.
    ///
    /// - Parameters:
    ///   - scheme: the scheme, before the token in the `Authorization` field.
    ///   - token: the token.
    /// - Returns: the credential.
    public static func scheme(_ scheme: String, refreshing token: RefreshingToken) -> Self {
        Self(scheme: scheme, secret: .renewable(token))
    }

    /// Returns a token in a header field of its own, such as `X-Session`, that is refreshed when it expires or is
    /// rejected.
    ///
    /// A name that is not a token is a declaration error: nothing is sent.
    public static func apiKey(header name: String, refreshing token: RefreshingToken) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .renewable(token))
    }

    /// Returns a token in the query that is refreshed when it expires or is rejected.
    ///
    /// An empty name is a declaration error: nothing is sent.
    public static func apiKey(query name: String, refreshing token: RefreshingToken) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .renewable(token))
    }
}
