/// A clause that adds credentials to requests, in the `Authorization` field (RFC 9110, section 11.6.2) or elsewhere.
///
/// If a credential is created with a closure, its secret is fetched for each request, so it can change during the
/// client's lifetime.
///
/// ```swift
/// Authorization(.bearer { try await tokens.current() })
/// Authorization(.basic(user: "admin", password: password))
/// Authorization(.scheme("Token", token))
/// Authorization(.apiKey(key, header: "X-API-Key"))
/// Authorization(.digest(user: "admin", password: password))
/// Authorization(.basic(user: "admin", password: password), .apiKey(session, header: "X-Session"))
/// Authorization.none          // no credential, even if an outer scope declares one
/// ```
///
/// Credentials are sent only to the client's origin, never to another origin that a redirect or page link points to.
/// However, a 307 or 308 redirect forwards the request body, as RFC 9110 requires, so keep secrets out of bodies. If
/// fetching a secret fails, the call fails with an ``APIError/AuthorizationFailure``, and nothing is sent.
public struct Authorization: Setting {
    package let credentials: [Credential]

    /// Creates the clause with one or more credentials.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - others: further credentials for the same requests, each in a different field or query item. Two credentials
    ///     in the same location are a declaration error: nothing is sent.
    public init(_ credential: Credential, _ others: Credential...) { credentials = [credential] + others }

    private init(_ credentials: [Credential]) { self.credentials = credentials }

    /// No credential, even if an outer scope declares one.
    public static let none = Authorization([])

    /// The schemes and locations of the secrets, or `none`.
    public var summary: String {
        credentials.isEmpty ? "none" : credentials.map(\.summary).joined(separator: " and ")
    }

    /// Declares the credentials, with an error for each one that is invalid or shares its location with an earlier one.
    ///
    /// - Parameter scope: the scope to declare them in.
    public func declare(in scope: inout Scope) {
        for declarationError in credentials.compactMap(\.declarationError) { scope.declare(declarationError) }
        var taken: [Credential] = []
        for credential in credentials {
            if let other = taken.first(where: credential.sharesPlace) {
                scope.declare(
                    Scope.DeclarationError(
                        clause: "Authorization",
                        value: "\(other.summary), \(credential.summary)",
                        reason: "both go into one place, and a request has one credential in each; give one of them a"
                            + " field of its own, as .apiKey(…, header:), or leave it out"
                    )
                )
            }
            taken.append(credential)
        }
        scope.declare(self)
    }

    /// Returns the clause without the credential in a header field; nil if no credential is in that field.
    func removing(_ name: HTTPField.Name) -> Authorization? {
        let left = credentials.filter { $0.fieldName != name }
        return left.count == credentials.count ? nil : Authorization(left)
    }
}

extension Authorization: CombinableSetting {
    package func adviceToCombine(with earlier: Authorization) -> String? {
        let complement = credentials.allSatisfy { later in !earlier.credentials.contains(where: later.sharesPlace) }
        return complement && !credentials.isEmpty && !earlier.credentials.isEmpty
            ? "for a request with both credentials, write them in one: Authorization(…, …)" : nil
    }
}

extension Authorization.Credential {
    fileprivate func sharesPlace(with other: Self) -> Bool {
        if case .query(let name) = place, case .query(let otherName) = other.place {
            return name.hasSameBytes(as: otherName)
        }
        return fieldName != nil && fieldName == other.fieldName
    }
}
