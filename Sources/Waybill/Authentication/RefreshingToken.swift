import WaybillSystem

/// A token that is refreshed when it expires or when a server rejects it.
///
/// ```swift
/// let tokens = RefreshingToken(saved) { context in
///     let grant = try await auth.refresh(refreshToken).send()     // declared with Authorization.none
///     return .init(grant.accessToken, expiresIn: .seconds(grant.expiresIn))
/// }
/// let client = Client(url) { Authorization(.bearer(refreshing: tokens)) }
/// ```
///
/// An app creates the token once and shares it among all clients that need it.
///
/// - **The token is rejected** (401): all affected calls share one refresh. Each call is then resent once with the new
///   token, regardless of its method, because a server does not act on a request that it rejects. If the rejected token
///   has already been replaced, the call is resent with the current one. If the new token is also rejected, the call
///   returns the 401. A call whose body cannot be sent twice also returns the 401, and the next call refreshes the
///   token first.
/// - **The token is about to expire**: the next call starts a refresh. All calls continue to use the current token
///   until it expires, and then wait for the new one. If a new token has already expired on arrival, a clock must be
///   wrong, so the token is used until the server rejects it.
/// - **A refresh fails**: all calls waiting for it fail with an ``APIError/AuthorizationFailure``, and the next call
///   tries again. Calls that still use an unexpired token are not affected.
///
/// A refresh runs in a separate task: it continues even if the waiting calls are cancelled or time out, and is not
/// subject to their deadlines. If it makes a call that needs the same token, that call fails, because the refresh would
/// otherwise wait for itself.
public final class RefreshingToken: Sendable {
    /// A token and its expiry.
    public struct AccessToken: Sendable, Hashable {
        enum Expiry: Sendable, Hashable {
            case unknown
            case date(Date)
            case lifetime(Duration)
        }

        /// The token as sent.
        public let value: String

        let expiry: Expiry

        /// Creates a token that is valid until a date.
        ///
        /// - Parameters:
        ///   - value: the token as sent.
        ///   - date: the expiry date; nil if unknown.
        public init(_ value: String, expires date: Date? = nil) {
            self.value = value
            expiry = date.map(Expiry.date) ?? .unknown
        }

        /// Creates a token that is valid for a duration.
        ///
        /// The lifetime starts at the beginning of the refresh that returns the token. For a token set by the app, it
        /// starts with the token's first use.
        ///
        /// - Parameters:
        ///   - value: the token as sent.
        ///   - lifetime: the time until expiry, `expires_in` in OAuth 2.0.
        public init(_ value: String, expiresIn lifetime: Duration) {
            self.value = value
            expiry = .lifetime(lifetime)
        }
    }

    /// The context of a token refresh.
    public struct RefreshContext: Sendable {
        /// The token to replace, which was rejected, has expired or is about to expire; nil without one.
        public let token: AccessToken?

        /// The header fields of the server's latest rejection.
        ///
        /// Empty if no token has been rejected. Some servers send the next token in one of these fields.
        /// Descriptions of the context omit the values.
        public let headerFields: HTTPFields

        /// The challenges in the server's latest rejection, which may name the required token and its source.
        ///
        /// Empty if the server has not sent a challenge.
        public var challenges: [HTTPField.Challenge] { HTTPField.Challenge.all(in: headerFields) }

        /// Creates a context, for testing the refresh closure.
        ///
        /// - Parameters:
        ///   - token: the token to replace; nil for the first refresh.
        ///   - headerFields: the header fields of the latest rejection.
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
    ///   - token: the first token; nil to make the first call wait for a refresh.
    ///   - refreshBefore: how long before expiry to refresh the token. It is limited to half the token's
    ///     lifetime, unless the app set the token with an expiry date. A negative value is a declaration error: nothing
    ///     is sent.
    ///   - waitsForChallenge: whether to send requests without a valid token until the server rejects one. The first
    ///     refresh then receives the header fields of the rejection.
    ///   - waiting: the maximum number of calls that wait for a refresh. Further calls fail at once with an
    ///     ``APIError/AuthorizationFailure`` whose underlying error is ``TooManyWaiting``. A value below 1 is a
    ///     declaration error: nothing is sent.
    ///   - statuses: the statuses that can indicate a rejected token.
    ///   - isRejection: a closure that returns whether a response with such a status is a rejection. A server may, for
    ///     example, also send a 401 if a second factor is missing. If a server reports errors with status 200, include
    ///     `.success` in `statuses`.
    ///   - refresh: a closure that fetches a new token.
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

    /// The current token, even if it has expired; nil before the first one, or if the app has removed it.
    public var current: AccessToken? { state.withLock { $0.token } }

    /// The number of calls waiting for a refresh.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Whether a refresh is in flight.
    package var isRefreshing: Bool { state.withLock { $0.isRefreshing } }

    /// Replaces the token, for example after the user signs in, or removes it, for example after the user signs out.
    ///
    /// Waiting calls continue with the new token, or fail if it is nil. The result of a refresh in flight is discarded.
    ///
    /// - Parameter token: the new token; nil to remove it.
    public func replace(with token: AccessToken?) {
        let (waiters, outcome) = state.withLock { state in state.replace(with: token) }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}

extension RefreshingToken.AccessToken: CustomStringConvertible, CustomDebugStringConvertible, PartlyShown {
    /// A description without the token.
    public var description: String { "AccessToken(\(Redaction.mark))" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// The expiry; the token is redacted.
    package var shownParts: KeyValuePairs<String, Any> { ["value": Redaction.mark, "expiry": expiry] }
}

extension RefreshingToken.RefreshContext: CustomStringConvertible, PartlyShown {
    /// A description without the token and header fields.
    public var description: String { "RefreshContext(\(Redaction.mark))" }

    /// The expiry of the token and the names of the header fields.
    package var shownParts: KeyValuePairs<String, Any> {
        ["token": token as Any, "headerFields": headerFields.map(\.name)]
    }
}

extension RefreshingToken: CustomStringConvertible, CustomReflectable {
    /// A description without the token.
    public var description: String { "RefreshingToken(\(Redaction.mark))" }

    /// The expiry of the current token; the token is redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["current": current as Any], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension Authorization.Credential {
    /// Returns a credential with a bearer token (RFC 6750) that is refreshed when it expires or is rejected.
    ///
    /// - Parameter token: the token.
    /// - Returns: the credential.
    public static func bearer(refreshing token: RefreshingToken) -> Self {
        Self(scheme: "Bearer", secret: .renewable(token))
    }

    /// Returns a credential for another scheme, such as `TOKEN`, with a token that is refreshed when it expires or is
    /// rejected.
    ///
    /// A scheme that is not a token (RFC 9110, section 11.1) is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - scheme: the scheme, which precedes the token in the `Authorization` field.
    ///   - token: the token.
    /// - Returns: the credential.
    public static func scheme(_ scheme: String, refreshing token: RefreshingToken) -> Self {
        Self(scheme: scheme, secret: .renewable(token))
    }

    /// Returns a credential with a refreshable token in a separate header field, such as `X-Session`.
    ///
    /// A field name that is invalid or reserved, such as `Host`, is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the header field.
    ///   - token: the token.
    /// - Returns: the credential.
    public static func apiKey(header name: String, refreshing token: RefreshingToken) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .renewable(token))
    }

    /// Returns a credential with a refreshable token in a query item.
    ///
    /// An empty name is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the query item.
    ///   - token: the token.
    /// - Returns: the credential.
    public static func apiKey(query name: String, refreshing token: RefreshingToken) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .renewable(token))
    }
}
