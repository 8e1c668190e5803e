import WaybillSystem

extension Authorization {
    /// The credential of a request: a secret that is known or still to be fetched, and its place in the request.
    ///
    /// A credential's description never has the secret in it.
    public struct Credential: Sendable {
        /// The place of the secret.
        package enum Place: Sendable, Hashable {
            /// Into the `Authorization` field, after the scheme.
            case authorization
            /// Into a field of its own.
            case field(String)
            /// Into the query.
            case query(String)
        }

        package enum Secret: Sendable {
            case text(String)
            case source(@Sendable () async throws -> String)
            case renewable(any RenewableSecret)
            case digest(user: String, password: String)
        }

        /// The scheme: `Bearer`, `Basic`, `Digest`; `apiKey` for a key that has a place of its own.
        public let scheme: String

        package let place: Place
        package let secret: Secret

        /// The error of values that the secret no longer shows.
        private(set) var rejection: DeclarationError?

        package init(scheme: String, place: Place = .authorization, secret: Secret) {
            self.scheme = scheme
            self.place = place
            self.secret = secret
        }

        /// Returns a bearer token (RFC 6750) that does not change.
        ///
        /// An empty token, and one with a control character, is a declaration error: nothing is sent.
        ///
        /// - Parameter token: the token.
        /// - Returns: the credential.
        public static func bearer(_ token: String) -> Self { Self(scheme: "Bearer", secret: .text(token)) }

        /// Returns a bearer token (RFC 6750) that is fetched each time a request is sent.
        ///
        /// An empty token, and one with a control character, is an ``APIError/AuthorizationFailure``: nothing is sent.
        ///
        /// - Parameter token: fetches the token.
        /// - Returns: the credential.
        public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> Self {
            Self(scheme: "Bearer", secret: .source(token))
        }

        /// Returns a user and a password (RFC 7617).
        ///
        /// A colon in the user, a control character in either, and two empty ones are a declaration error: nothing is
        /// sent. One of them may be empty: some services take a key as the user, or a token as the password.
        public static func basic(user: String, password: String) -> Self {
            var credential = Self(
                scheme: "Basic",
                secret: .text(Data("\(user):\(password)".utf8).base64EncodedString())
            )
            credential.rejection = rejection(ofBasicUser: user, password: password)
            return credential
        }

        /// Returns a user and a password that are not sent: each request responds to the server's challenge with a hash
        /// of them (RFC 7616).
        ///
        /// The first request goes out without a credential; its 401 brings the challenge, and the request is sent
        /// again. Later ones go out with a response to the same challenge. MD5 and SHA-256 are known, with and without
        /// `-sess`, and the quality of protection `auth`. If a server asks for another, the call ends with its 401, and
        /// so does a call whose body cannot be sent a second time; the next request then goes out with the response.
        ///
        /// A user with a colon in it, and an empty user with an empty password, are declaration errors: nothing is
        /// sent.
        public static func digest(user: String, password: String) -> Self {
            Self(scheme: "Digest", secret: .digest(user: user, password: password))
        }

        /// Returns a secret of a scheme that has no name here, such as `Token`; it does not change.
        ///
        /// A scheme that is not a token (RFC 9110, section 11.1) is a declaration error, and so is a secret that is
        /// empty, or has a line break or another control character: nothing is sent.
        ///
        /// - Parameters:
        ///   - scheme: the scheme, before the secret in the `Authorization` field.
        ///   - secret: the secret.
        /// - Returns: the credential.
        public static func scheme(_ scheme: String, _ secret: String) -> Self {
            Self(scheme: scheme, secret: .text(secret))
        }

        /// Returns a secret of a scheme that has no name here; it is fetched each time a request is sent.
        ///
        /// - Parameters:
        ///   - scheme: the scheme, before the secret in the `Authorization` field.
        ///   - secret: fetches the secret.
        /// - Returns: the credential.
        public static func scheme(_ scheme: String, _ secret: @escaping @Sendable () async throws -> String) -> Self {
            Self(scheme: scheme, secret: .source(secret))
        }
    }
}

// Keys that have a place of their own.
extension Authorization.Credential {
    /// Returns a key in a header field of its own, such as `X-API-Key`.
    ///
    /// A name that is not a token, and an empty key, is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - name: the name of the header field.
    /// - Returns: the credential.
    public static func apiKey(_ key: String, header name: String) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .text(key))
    }

    /// Returns a key in a header field of its own, which is fetched each time a request is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the header field.
    ///   - key: fetches the key.
    /// - Returns: the credential.
    public static func apiKey(header name: String, _ key: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .source(key))
    }

    /// Returns a key in the query, such as `api_key`; it replaces all items of that name.
    ///
    /// It goes into the URL when the request is sent, below the middlewares. An empty name or key is a declaration
    /// error: nothing is sent. Servers and proxies log URLs: a header field, if the server takes one, is the better
    /// place.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - name: the name of the query item.
    /// - Returns: the credential.
    public static func apiKey(_ key: String, query name: String) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .text(key))
    }

    /// Returns a key in the query, which is fetched each time a request is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the query item.
    ///   - key: fetches the key.
    /// - Returns: the credential.
    public static func apiKey(query name: String, _ key: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .source(key))
    }
}

extension Authorization.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme; the secret is redacted.
    public var description: String { "\(summary) \(Redaction.mark)" }

    /// The same.
    public var debugDescription: String { description }

    /// The scheme, and the place of the secret.
    public var customMirror: Mirror { Mirror(self, children: ["credential": summary], displayStyle: .struct) }

    /// The scheme, and the place of the secret unless it is the usual one.
    package var summary: String {
        switch place {
        case .authorization: scheme
        case .field(let name): "\(scheme) in \(name)"
        case .query(let name): "\(scheme) in ?\(name)="
        }
    }
}

extension Authorization.Credential {
    /// The header field that the credential is the value of; nil for a key in the query.
    package var fieldName: HTTPField.Name? {
        switch place {
        case .authorization: .authorization
        case .field(let name): HTTPField.Name(name)
        case .query: nil
        }
    }

    /// The name whose value is the secret, unless it is the usual one.
    package var secretName: String? {
        switch place {
        case .authorization: nil
        case .field(let name), .query(let name): name
        }
    }
}

extension Authorization.Credential {
    /// Whether both are in one place and never change, and differ: they are two users', or two tokens of one.
    func differs(from other: Self) -> Bool {
        guard place == other.place else { return false }
        switch (secret, other.secret) {
        case (.text(let text), .text(let otherText)): return !text.hasSameBytes(as: otherText)
        case (.digest(let user, _), .digest(let otherUser, _)): return !user.hasSameBytes(as: otherUser)
        default: return false
        }
    }
}
