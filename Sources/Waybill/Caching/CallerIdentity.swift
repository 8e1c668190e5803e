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
        var request = request
        do {
            switch credential.secret {
            case .text(let text): Self.put(text, of: credential, into: &request)
            case .source(let source): Self.put(try await source(), of: credential, into: &request)
            case .renewable(let secret):
                let issued = try await secret.issued { call.context.dates.now }
                if let text = issued.text { Self.put(text, of: credential, into: &request) }
            case .digest(let user, let password): request.credential = .digest(user: user, password: password)
            }
        } catch {
            return nil
        }
        parts = Self.secrets(request)
    }

    private static func put(_ secret: String, of credential: Credential, into request: inout HTTPRequest) {
        switch credential.place {
        case .authorization: request.headerFields[.authorization] = "\(credential.scheme) \(secret)"
        case .field(let name): if let name = HTTPField.Name(name) { request.headerFields[name] = secret }
        case .query(let name): request.credential = .query(name: name, value: secret)
        }
    }

    private static func secrets(_ request: HTTPRequest) -> [String] {
        var fields = request.headerFields.filter { request.secretNames.contains($0.name) }
        var parts = ["fields"]
        switch request.credential {
        case .query(let name, let value)?: parts = ["query", name, value]
        case .digest(let user, let password)?:
            parts = ["digest", user, password]
            // It is another one for each request.
            fields.removeAll { $0.name == .authorization }
        case nil: break
        }
        return parts + fields.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
