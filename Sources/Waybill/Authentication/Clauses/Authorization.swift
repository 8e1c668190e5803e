/// The credential of a request: the value of its `Authorization` field (RFC 9110, section 11.6.2), or a key elsewhere;
/// several, if a server asks for more than one.
///
/// It is fetched each time a request is sent, so it can change while the client lives.
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
/// It goes to the client's origin only: not along with a redirect, or a page, that leads elsewhere. The body of a
/// request does go along with a 307 or 308 that leads elsewhere, as RFC 9110 demands: secrets are better kept out of
/// bodies. An error of the source is an ``APIError/AuthorizationFailure``; nothing is sent.
public struct Authorization: Setting {
    package let credentials: [Credential]

    /// Creates the clause with a credential.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - others: the further ones that a request has too, each in a field or an item of its own. Two in one place are
    ///     a declaration error: nothing is sent.
    public init(_ credential: Credential, _ others: Credential...) { credentials = [credential] + others }

    private init(_ credentials: [Credential]) { self.credentials = credentials }

    /// No credential, even if an outer scope declares one.
    public static let none = Authorization([])

    /// The schemes, without the credentials.
    public var summary: String {
        credentials.isEmpty ? "none" : credentials.map(\.summary).joined(separator: " and ")
    }

    /// Declares the credentials.
    public func declare(in scope: inout Scope) {
        for declarationError in credentials.compactMap(\.declarationError) { scope.declare(declarationError) }
        var taken: [Credential] = []
        for credential in credentials {
            if let other = taken.first(where: credential.sharesPlace) {
                scope.declare(
                    DeclarationError(
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

    /// Returns the clause without the credential of a header field; nil if it has none there.
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
