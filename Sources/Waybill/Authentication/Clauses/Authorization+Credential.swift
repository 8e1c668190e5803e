import WaybillSystem

extension Authorization {
    /// A secret that authorizes requests, and its location in the request.
    ///
    /// The secret is fixed, fetched for each request, or renewed when it expires. Descriptions never contain it.
    public struct Credential: Sendable {
        /// The location of the secret in the request.
        package enum Place: Sendable, Hashable {
            /// The `Authorization` field, after the scheme.
            case authorization
            /// A header field with the given name.
            case field(String)
            /// A query item with the given name.
            case query(String)
        }

        package enum Secret: Sendable {
            case text(String)
            case source(@Sendable () async throws -> String)
            case renewable(any RenewableSecret)
            case challenged(any ChallengedSecret)
        }

        /// The scheme, such as `Bearer`, `Basic` or `Digest`; `apiKey` for a key in a separate header field or in a
        /// query item.
        public let scheme: String

        package let place: Place
        package let secret: Secret

        /// The error in a Basic user name or password, detected before they are encoded as one secret.
        private(set) var rejection: Scope.DeclarationError?

        package init(scheme: String, place: Place = .authorization, secret: Secret) {
            self.scheme = scheme
            self.place = place
            self.secret = secret
        }

        /// Returns a credential with a fixed bearer token (RFC 6750).
        ///
        /// An empty token, or one that contains a control character, is a declaration error: nothing is sent.
        ///
        /// - Parameter token: the bearer token.
        /// - Returns: the credential.
        public static func bearer(_ token: String) -> Self { Self(scheme: "Bearer", secret: .text(token)) }

        /// Returns a credential with a bearer token (RFC 6750) that is fetched for each request.
        ///
        /// If the token is empty or contains a control character, the call fails with an
        /// ``APIError/AuthorizationFailure``, and nothing is sent.
        ///
        /// - Parameter token: a closure that fetches the token.
        /// - Returns: the credential.
        public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> Self {
            Self(scheme: "Bearer", secret: .source(token))
        }

        /// Returns a credential for Basic authentication (RFC 7617).
        ///
        /// It is a declaration error if the user name contains a colon, if either value contains a control character,
        /// or if both are empty: nothing is sent. Either value can be empty, because some services expect only a key as
        /// the user name or only a token as the password.
        ///
        /// - Parameters:
        ///   - user: the user name, without a colon.
        ///   - password: the password.
        /// - Returns: the credential.
        public static func basic(user: String, password: String) -> Self {
            var credential = Self(
                scheme: "Basic",
                secret: .text(Data("\(user):\(password)".utf8).base64EncodedString())
            )
            credential.rejection = rejection(ofBasicUser: user, password: password)
            return credential
        }

        /// Returns a credential with a fixed secret for another scheme, such as `Token`.
        ///
        /// A scheme that is not a token (RFC 9110, section 11.1) is a declaration error, and so is a secret that is
        /// empty or contains a control character: nothing is sent.
        ///
        /// - Parameters:
        ///   - scheme: the scheme, which precedes the secret in the `Authorization` field.
        ///   - secret: the secret.
        /// - Returns: the credential.
        public static func scheme(_ scheme: String, _ secret: String) -> Self {
            Self(scheme: scheme, secret: .text(secret))
        }

        /// Returns a credential for another scheme, with a secret that is fetched for each request.
        ///
        /// A scheme that is not a token (RFC 9110, section 11.1) is a declaration error: nothing is sent. If the secret
        /// is empty or contains a control character, the call fails with an ``APIError/AuthorizationFailure``.
        ///
        /// - Parameters:
        ///   - scheme: the scheme, which precedes the secret in the `Authorization` field.
        ///   - secret: a closure that fetches the secret.
        /// - Returns: the credential.
        public static func scheme(_ scheme: String, _ secret: @escaping @Sendable () async throws -> String) -> Self {
            Self(scheme: scheme, secret: .source(secret))
        }
    }
}

// Keys in header fields and query items.
extension Authorization.Credential {
    /// Returns a credential with a fixed key in a separate header field, such as `X-API-Key`.
    ///
    /// A field name that is invalid or reserved, such as `Host`, is a declaration error, and so is a key that is empty
    /// or contains a control character: nothing is sent.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - name: the name of the header field.
    /// - Returns: the credential.
    public static func apiKey(_ key: String, header name: String) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .text(key))
    }

    /// Returns a credential with a key that is fetched for each request and sent in a separate header field.
    ///
    /// A field name that is invalid or reserved, such as `Host`, is a declaration error: nothing is sent. If the key is
    /// empty or contains a control character, the call fails with an ``APIError/AuthorizationFailure``.
    ///
    /// - Parameters:
    ///   - name: the name of the header field.
    ///   - key: a closure that fetches the key.
    /// - Returns: the credential.
    public static func apiKey(header name: String, _ key: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .source(key))
    }

    /// Returns a credential with a fixed key in a query item, such as `api_key`, which replaces all items with that
    /// name.
    ///
    /// The key is added just before the request is sent, so middleware does not see it. An empty name or key is a
    /// declaration error: nothing is sent. Servers and proxies log URLs, so prefer a header field if the server accepts
    /// one.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - name: the name of the query item.
    /// - Returns: the credential.
    public static func apiKey(_ key: String, query name: String) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .text(key))
    }

    /// Returns a credential with a key that is fetched for each request and sent in a query item.
    ///
    /// An empty name is a declaration error: nothing is sent. If the key is empty, the call fails with an
    /// ``APIError/AuthorizationFailure``.
    ///
    /// - Parameters:
    ///   - name: the name of the query item.
    ///   - key: a closure that fetches the key.
    /// - Returns: the credential.
    public static func apiKey(query name: String, _ key: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .source(key))
    }
}

extension Authorization.Credential: CustomStringConvertible, CustomDebugStringConvertible, PartlyShown {
    /// The scheme and the location of the secret, which is redacted.
    public var description: String { "\(summary) \(Redaction.mark)" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// The scheme and the location of the secret.
    package var shownParts: KeyValuePairs<String, Any> { ["credential": summary] }

    /// The scheme, and the location of the secret if it is not the `Authorization` field.
    package var summary: String {
        switch place {
        case .authorization: scheme
        case .field(let name): "\(scheme) in \(name)"
        case .query(let name): "\(scheme) in ?\(name)="
        }
    }
}

extension Authorization.Credential {
    /// The header field that contains the secret; nil for a key in a query item.
    package var fieldName: HTTPField.Name? {
        switch place {
        case .authorization: .authorization
        case .field(let name): HTTPField.Name(name)
        case .query: nil
        }
    }

    /// The name of the field or query item that contains the secret; nil for the `Authorization` field.
    package var secretName: String? {
        switch place {
        case .authorization: nil
        case .field(let name), .query(let name): name
        }
    }
}

extension Authorization.Credential {
    /// Whether two credentials for the same location have different fixed secrets or, for Digest, different users.
    package func differs(from other: Self) -> Bool {
        guard place == other.place else { return false }
        switch (secret, other.secret) {
        case (.text(let text), .text(let otherText)): return !text.hasSameBytes(as: otherText)
        case (.challenged(let secret), .challenged(let other)): return !secret.user.hasSameBytes(as: other.user)
        default: return false
        }
    }
}

// WaybillSessions also declares this method. If it is not imported, this overload's message names it.
extension Authorization.Credential {
    /// Unavailable without `import WaybillSessions`, which declares this method.
    ///
    /// - Parameters:
    ///   - user: the user name.
    ///   - password: the password.
    /// - Returns: the credential.
    @available(*, unavailable, message: "add `import WaybillSessions`, the product that answers Digest challenges")
    public static func digest(user: String, password: String) -> Self { .basic(user: user, password: password) }
}
