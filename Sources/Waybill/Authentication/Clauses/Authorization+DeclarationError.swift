import WaybillSystem

// Errors in credentials, detected before anything is sent. Their texts never contain the secret.
extension Authorization.Credential {
    /// The error in the declaration, as far as it can be detected without fetching the secret; otherwise nil.
    package var declarationError: Scope.DeclarationError? {
        if let rejection { return rejection }
        switch place {
        case .authorization where !Token.isValid(scheme):
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".scheme(\(scheme.debugDescription), …)",
                reason: "a scheme is a token (RFC 9110, section 11.1): letters, digits and marks such as -, without"
                    + " spaces; give one such as Token, and the secret by itself"
            )
        case .field(let name) where !Self.mayCarryKey(name):
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".apiKey(…, header: \"\(name)\")",
                reason: "the name of a header field is a token; give one such as X-API-Key"
            )
        case .query(""):
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".apiKey(…, query: \"\")",
                reason: "a query item needs a name; give one such as api_key"
            )
        default: break
        }
        switch secret {
        case .renewable(let secret): return secret.declarationError
        case .challenged(let secret): return secret.declarationError
        case .text(let text): return declarationError(ofText: text)
        case .source: return nil
        }
    }

    /// The advice for an empty secret.
    package static let adviceForEmptySecrets =
        "give the secret once the app has it, or declare Authorization.none for calls without one"

    /// Whether a server would receive an empty secret; whitespace around a field value is not part of it.
    func isEmpty(_ secret: String) -> Bool {
        if case .query = place { return secret.isEmpty }
        return secret.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// Returns the error in a fixed secret; nil if it is valid.
    ///
    /// In a query item, any nonempty secret is valid.
    private func declarationError(ofText text: String) -> Scope.DeclarationError? {
        if isEmpty(text) {
            return Scope.DeclarationError(
                clause: "Authorization",
                value: "\(summary) \"\"",
                reason: "the secret is empty; \(Self.adviceForEmptySecrets)"
            )
        }
        if case .query = place { return nil }
        guard !HTTPField.isValid(value: text) else { return nil }
        return Scope.DeclarationError(
            clause: "Authorization",
            value: "\(summary) …",
            reason: "the secret contains a line break or another control character, which is invalid in a field"
        )
    }

    /// Returns the error in a Basic user name or password; nil if both are valid.
    ///
    /// The error omits the text after the colon, which may be a password.
    static func rejection(ofBasicUser user: String, password: String) -> Scope.DeclarationError? {
        if let colon = user.firstIndex(of: ":") {
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".basic(user: \"\(user[...colon])…\")",
                reason:
                    "a user name cannot contain a colon (RFC 7617, section 2); give the password separately"
            )
        }
        guard !user.isEmpty || !password.isEmpty else {
            return Scope.DeclarationError(
                clause: "Authorization",
                value: ".basic(user: \"\", password: \"\")",
                reason: "the user and the password are empty; \(adviceForEmptySecrets)"
            )
        }
        guard (user + password).unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return nil
        }
        return Scope.DeclarationError(
            clause: "Authorization",
            value: ".basic(user: …, password: …)",
            reason: "the user or the password contains a line break or another control character, which RFC 7617,"
                + " section 2, does not allow"
        )
    }

    private static func mayCarryKey(_ name: String) -> Bool {
        let taken: [HTTPField.Name] = [
            .host, .contentLength, .contentType, .transferEncoding, .connection, .accept, .expect, .location,
        ]
        return HTTPField.Name(name).map { !taken.contains($0) } ?? false
    }
}
