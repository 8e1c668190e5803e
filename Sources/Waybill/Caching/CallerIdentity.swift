/// Who asks, as far as the server can tell: what keeps the answers of one apart from those of another.
///
/// It has secrets in it, and is kept nowhere but as a digest.
struct CallerIdentity: Sendable, Hashable {
    let parts: [String]

    static func == (left: Self, right: Self) -> Bool {
        left.parts.elementsEqual(right.parts) { $0.hasSameBytes(as: $1) }
    }

    func hash(into hasher: inout Hasher) { for part in parts { hasher.combine(BytewiseString(part)) } }

    /// A user that the app names.
    init(user: String) { parts = ["user", user] }

    /// What a request that goes out has of secret fields.
    init(of request: HTTPRequest) { parts = Self.secrets(request) }

    /// What a request will have of secret fields when its credential has been put in.
    ///
    /// Nil where a signature says who asks, which nobody but the server can tell apart.
    ///
    /// - Throws: ``APIError/authorization(_:)`` where the credential is not to be had. It is not asked for once more
    ///   on the way to the transport: what failed, a refresh perhaps, is not repeated.
    init?(of request: HTTPRequest, _ call: Call, mayRenew: Bool = true) async throws(APIError) {
        guard call.settings[Signed.self]?.signer == nil || call.plan.isForeign else { return nil }
        guard let credential = call.plan.credential else {
            parts = Self.secrets(request)
            return
        }
        parts = Self.secrets(
            try await CredentialStep(credential).identified(request, of: call, mayRenew: mayRenew)
        )
    }

    private static func secrets(_ request: HTTPRequest) -> [String] {
        var fields = request.headerFields.filter { request.secretNames.contains($0.name) || $0.name == .host }
        var kind = ["fields"]
        switch request.credential {
        case .query(let name, let value): kind = ["query", name, value]
        case .digest(let user, let password):
            // Each request has another answer to the challenge in there.
            fields.removeAll { $0.name == .authorization }
            kind = ["digest", user, password]
        case nil: break
        }
        return kind + fields.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
