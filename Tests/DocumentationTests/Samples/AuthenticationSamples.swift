import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Grant: Codable, Sendable {
    let accessToken: String
    let expiresIn: Int
}

private struct RealmToken: Codable, Sendable {
    let token: String
}

private struct UnknownRealm: Error {}

private struct AuthAPI: API {
    let client: Client

    func refresh(_ token: String) -> Endpoint<Grant> {
        endpoint {
            POST("oauth/token")
            Body(form: ["grant_type": "refresh_token", "refresh_token": token])
            Authorization.none
        }
    }
}

private struct Registry: API {
    let client: Client

    var check: Endpoint<Void> { endpoint { GET("v2/") } }
}

private struct Keychain: Sendable {
    let refreshToken = "r1"

    func save(_ grant: Grant) {}
}

private struct Store: Sendable {
    func current() async throws -> String { "t" }
}

struct SigningKey: Sendable {
    func signature(of bytes: Data) -> String { "\(bytes.count) bytes" }
}

private struct UnsignedStream: Error {}

extension HTTPField.Name {
    fileprivate static let signature = HTTPField.Name("X-Signature") ?? .authorization
}

struct ShopSigner: RequestSigner {
    let key: SigningKey

    func sign(_ request: inout HTTPRequest, body: Data?) async throws {
        guard let body else { throw UnsignedStream() }
        let text = "\(request.method) \(request.url.value.absoluteString)\n"
        request.headerFields[.signature] = key.signature(of: Data(text.utf8) + body)
    }
}

@Suite("Authentication.md")
struct AuthenticationSamples {
    private let url = Sample.url

    @Test("Every credential")
    func credentials() throws {
        let (tokens, password, key) = (Store(), "p", "k")
        let client = Client(url) {
            Authorization(.bearer { try await tokens.current() })  // asked for each time a request is sent
            Authorization(.basic(user: "admin", password: password))
            Authorization(.digest(user: "admin", password: password))
            Authorization(.scheme("Token", key))
            Authorization(.apiKey(key, header: "X-API-Key"))
            Authorization(.apiKey(key, query: "api_key"))
            Authorization.none  // no credential, whatever a farther scope says
        }
        // One a scope.
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(throws: APIError.self) { try endpoint.plan() }
    }

    @Test("A token that is refreshed")
    func refreshing() async throws {
        let stub = StubTransport { request in
            if request.template == "oauth/token" { return .json(#"{"accessToken":"t2","expiresIn":3600}"#) }
            return request.headerFields[.authorization] == "Bearer t2" ? .json("1") : .status(401)
        }
        let auth = AuthAPI(client: Client(url, transport: stub))
        let (keychain, saved) = (Keychain(), RefreshingToken.AccessToken("t1"))

        let tokens = RefreshingToken(saved, refreshBefore: .seconds(60)) { occasion in
            let grant = try await auth.refresh(keychain.refreshToken).send()
            keychain.save(grant)
            return .init(grant.accessToken, expiresIn: .seconds(grant.expiresIn))
        }
        let client = Client(url) {
            Authorization(.bearer(refreshing: tokens))
        }
        #expect(client.url == url)

        let stubbed = Client(url, transport: stub) { Authorization(.bearer(refreshing: tokens)) }
        #expect(try await stubbed.get("a", as: Int.self) == 1)
        #expect(stub.requests.map(\.template) == ["a", "oauth/token", "a"])

        let grant = Grant(accessToken: "t3", expiresIn: 60)
        tokens.replace(with: .init(grant.accessToken))
        tokens.replace(with: nil)
        #expect(tokens.current == nil)
    }

    @Test("A registry's challenge, and its answer")
    func challenges() async throws {
        let realm = try LoopbackServer { request in
            .json(RealmToken(token: "for \(request.query ?? "")"))
        }
        defer { realm.stop() }
        let field = #"Bearer realm="\#(realm.url)",service="test",scope="pull""#
        let stub = StubTransport { request in
            request.headerFields[.authorization] == "Bearer for service=test&scope=pull"
                ? .status(200) : .status(401).header("WWW-Authenticate", field)
        }
        let registry = Registry(client: Client(url, transport: stub))

        do {
            try await registry.check.send()
        } catch {
            guard case .status(let failure) = error else { throw error }
            for challenge in failure.challenges where challenge.isScheme("Bearer") {
                print(challenge["realm"] ?? "", challenge["service"] ?? "", challenge["scope"] ?? "")
            }
        }

        let trusted: Set = ["127.0.0.1"]
        let tokens = RefreshingToken(waitsForChallenge: true) { occasion in
            guard let challenge = occasion.challenges.first(where: { $0.isScheme("Bearer") }),
                let realm = challenge["realm"].flatMap(URL.init(string:)), trusted.contains(realm.host ?? "")
            else { throw UnknownRealm() }
            let realms = Client(realm) { Timeout(.seconds(60)) }
            let grant: RealmToken = try await realms.get("") {
                Query("service", challenge["service"])
                Query("scope", challenge["scope"])
            }
            return .init(grant.token)
        }
        let answering = Client(url, transport: stub) { Authorization(.bearer(refreshing: tokens)) }
        try await Registry(client: answering).check.send()
        #expect(stub.requests.count == 3)
    }

    @Test("A signer")
    func signing() async throws {
        let key = SigningKey()
        let client = Client(url) {
            Signed(by: ShopSigner(key: key))
        }
        #expect(client.url == url)

        let stub = StubTransport { _ in .json("1") }
        let stubbed = Client(url, transport: stub) { Signed(by: ShopSigner(key: key)) }
        #expect(try await stubbed.get("a", as: Int.self) == 1)
        #expect(stub.requests.map { $0.headerFields[.signature] } == ["27 bytes"])
    }
}
