import Waybill

/// The identity of a caller from the server's point of view, used to keep responses for different users separate.
///
/// It contains secrets, so only its digest is stored.
struct CallerIdentity: Sendable, Hashable {
    let parts: [String]

    static func == (left: Self, right: Self) -> Bool {
        left.parts.elementsEqual(right.parts) { $0.hasSameBytes(as: $1) }
    }

    func hash(into hasher: inout Hasher) { for part in parts { hasher.combine(BytewiseString(part)) } }

    /// Creates the identity of a user with an ID set by the app.
    init(user: String) { parts = ["user", user] }

    /// Creates an identity from the secret fields of a sent request.
    init(of request: CallRequest) { parts = Self.secrets(request) }

    /// Creates an identity from the secret fields that a request will have when it is sent.
    ///
    /// Returns nil if requests are signed: only the server can determine which user a signature belongs to.
    ///
    /// - Throws: `APIError.authorization` if no credential was available. The error ends the call, so a failed
    ///   refresh is not repeated.
    init?(of request: CallRequest, _ call: Call, mayRenew: Bool = true) async throws(APIError) {
        guard call.settings[Signed.self]?.signer == nil || call.plan.isForeign else { return nil }
        var identified = request
        for credential in call.plan.credentials {
            identified = try await CredentialStep(credential).identified(identified, of: call, mayRenew: mayRenew)
        }
        call.settings.forEachOption { identified = $0.identifying(identified, of: call) }
        parts = Self.secrets(identified)
    }

    private static func secrets(_ request: CallRequest) -> [String] {
        var fields = request.headerFields.filter { request.secretNames.contains($0.name) || $0.name == .host }
        var kinds = request.credentials.isEmpty ? ["fields"] : []
        for credential in request.credentials {
            switch credential {
            case .query(let name, let value): kinds += ["query", name, value]
            case .challenged(let secret):
                // The `Authorization` field contains a different response in each request.
                fields.removeAll { $0.name == .authorization }
                kinds += ["challenged", secret.user, secret.password]
            }
        }
        return kinds + fields.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
