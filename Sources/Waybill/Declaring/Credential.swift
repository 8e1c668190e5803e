import Foundation

/// Who is asking, as a request says it: a secret at hand or still to be fetched, and the place where it goes.
///
/// A credential's description never has the secret in it.
public struct Credential: Sendable {
    /// Where the secret goes.
    package enum Place: Sendable, Hashable {
        /// Into the `Authorization` field, behind the scheme.
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

    package init(scheme: String, place: Place = .authorization, secret: Secret) {
        self.scheme = scheme
        self.place = place
        self.secret = secret
    }

    /// A bearer token (RFC 6750) that does not change.
    public static func bearer(_ token: String) -> Self { Self(scheme: "Bearer", secret: .text(token)) }

    /// A bearer token (RFC 6750) that is asked for each time a request is sent.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "Bearer", secret: .source(token))
    }

    /// A user and a password (RFC 7617).
    ///
    /// A user with a colon in it cannot be sent so: the call fails with an ``AuthorizationFailure``.
    public static func basic(user: String, password: String) -> Self {
        guard !user.contains(":") else { return Self(scheme: "Basic", secret: .source { throw UserWithColon() }) }
        return Self(scheme: "Basic", secret: .text(Data("\(user):\(password)".utf8).base64EncodedString()))
    }

    /// A user and a password that are not sent: each of the server's challenges is answered with a sum of them
    /// (RFC 7616).
    ///
    /// The first request goes out without a credential; its 401 brings the challenge, and the request is sent again.
    /// Later ones go out with an answer to the same challenge. MD5 and SHA-256 are known, with and without `-sess`,
    /// and the quality of protection `auth`; where a server asks for another, its 401 is the answer. So it is for a
    /// body that cannot be sent a second time; the next request then goes out with the answer.
    ///
    /// A user with a colon in it is a mistake: nothing is sent.
    public static func digest(user: String, password: String) -> Self {
        Self(scheme: "Digest", secret: .digest(user: user, password: password))
    }

    /// A scheme that has no name here, such as `Token`, with a secret that does not change.
    public static func scheme(_ scheme: String, _ secret: String) -> Self {
        Self(scheme: scheme, secret: .text(secret))
    }

    /// A scheme that has no name here, with a secret that is asked for each time a request is sent.
    public static func scheme(_ scheme: String, _ secret: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: scheme, secret: .source(secret))
    }
}

// Keys that have a place of their own.
extension Credential {
    /// A key in a header field of its own, such as `X-API-Key`.
    ///
    /// A name that is not a token is a mistake: nothing is sent.
    public static func apiKey(_ key: String, header name: String) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .text(key))
    }

    /// A key in a header field of its own, that is asked for each time a request is sent.
    public static func apiKey(header name: String, _ key: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "apiKey", place: .field(name), secret: .source(key))
    }

    /// A key in the query, such as `api_key`; it takes the place of all items of that name.
    ///
    /// It goes into the URL when the request is sent, below the middlewares. An empty name is a mistake: nothing is
    /// sent. Servers and proxies log URLs: where there is a choice, a header field is the better place.
    public static func apiKey(_ key: String, query name: String) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .text(key))
    }

    /// A key in the query, that is asked for each time a request is sent.
    public static func apiKey(query name: String, _ key: @escaping @Sendable () async throws -> String) -> Self {
        Self(scheme: "apiKey", place: .query(name), secret: .source(key))
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme; the secret is redacted.
    public var description: String { "\(summary) \(Redaction.mark)" }

    /// The same.
    public var debugDescription: String { description }

    /// The scheme, and where the secret goes.
    public var customMirror: Mirror { Mirror(self, children: ["credential": summary], displayStyle: .struct) }

    /// The scheme, and where the secret goes where that is not the usual place.
    package var summary: String {
        switch place {
        case .authorization: scheme
        case .field(let name): "\(scheme) in \(name)"
        case .query(let name): "\(scheme) in ?\(name)="
        }
    }
}

extension Credential {
    /// The name whose value is the secret, where it is not the usual one.
    package var secretName: String? {
        switch place {
        case .authorization: nil
        case .field(let name), .query(let name): name
        }
    }

    /// What is wrong with it, as far as that can be said beforehand.
    package var mistake: Mistake? {
        switch place {
        case .field(let name) where !Self.mayCarryKey(name):
            return Mistake(
                clause: "Authorization",
                value: ".apiKey(…, header: \"\(name)\")",
                reason: "a key goes into a field of its own, whose name is a token; give one such as X-API-Key"
            )
        case .query(""):
            return Mistake(
                clause: "Authorization",
                value: ".apiKey(…, query: \"\")",
                reason: "an item of the query has a name; give one such as api_key"
            )
        default: break
        }
        switch secret {
        case .renewable(let secret): return secret.mistake
        case .digest(let user, _): return Self.mistake(ofDigestUser: user)
        case .text, .source: return nil
        }
    }

    /// What stands behind the colon is not shown: it may be a password.
    private static func mistake(ofDigestUser user: String) -> Mistake? {
        guard let colon = user.firstIndex(of: ":") else { return nil }
        return Mistake(
            clause: "Authorization",
            value: ".digest(user: \"\(user[...colon])…\")",
            reason:
                "a colon ends the user in what is summed up (RFC 7616, section 3.4.2); give a user without one, and the"
                + " password by itself"
        )
    }

    private static func mayCarryKey(_ name: String) -> Bool {
        let taken: [HTTPField.Name] = [
            .host, .contentLength, .contentType, .transferEncoding, .connection, .accept, .expect, .location,
        ]
        return HTTPField.Name(name).map { !taken.contains($0) } ?? false
    }
}

/// A user that Basic authentication cannot tell from its password.
private struct UserWithColon: Error, CustomStringConvertible {
    let description = "the user of Basic authentication has a colon in it, which RFC 7617 does not allow"
}
