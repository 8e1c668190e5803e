/// Who asks, as far as the server can tell: what keeps the answers of one apart from those of another.
///
/// It has secrets in it, and is kept nowhere but as a digest.
struct CallerIdentity: Sendable, Hashable {
    let parts: [String]

    /// A user that the app names.
    init(user: String) { parts = ["user", user] }

    /// What a request that goes out has of secret fields.
    init(of request: HTTPRequest) { parts = Self.secrets(request) }

    /// What a request will have of secret fields when its credential has been put in.
    ///
    /// Nil where the credential cannot be had: the call itself will say why.
    init?(of request: HTTPRequest, _ call: Call) async {
        guard let credential = call.plan.credential, Origin(request.url) == Origin(call.plan.url) else {
            parts = Self.secrets(request)
            return
        }
        let secret: String
        do {
            switch credential.secret {
            case .text(let text): secret = text
            case .source(let source): secret = try await source()
            }
        } catch {
            return nil
        }
        var request = request
        request.headerFields[.authorization] = "\(credential.scheme) \(secret)"
        parts = Self.secrets(request)
    }

    private static func secrets(_ request: HTTPRequest) -> [String] {
        let fields = request.headerFields.filter { request.secretNames.contains($0.name) }
        return ["fields"] + fields.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
