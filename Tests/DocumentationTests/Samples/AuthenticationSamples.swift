import Foundation
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

private struct RealmToken: RequestContent, ResponseContent {
    let token: String
}

private struct UnknownRealm: Error {}

private struct AuthAPI: API {
    struct Grant: RequestContent, ResponseContent {
        let accessToken: String
        let expiresIn: Int
    }

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

private nonisolated struct Keychain: Sendable {
    let refreshToken = "r1"

    func save(_ grant: AuthAPI.Grant) {}
}

private nonisolated struct Store: Sendable {
    func current() async throws -> String { "t" }
}

nonisolated struct SigningKey: Sendable {
    func signature(of bytes: Data) -> String { "\(bytes.count) bytes" }
}

private struct UnsignedStream: Error {}

nonisolated extension HTTPField.Name {
    fileprivate static let signature = HTTPField.Name("X-Signature") ?? .authorization
}

struct ShopSigner: Signed.Signer {
    let key: SigningKey

    func sign(_ request: inout HTTPRequest, body: Data?) async throws {
        guard let body else { throw UnsignedStream() }
        let text = "\(request.method) \(request.url.absoluteString)\n"
        request.headerFields[.signature] = key.signature(of: Data(text.utf8) + body)
    }
}

nonisolated protocol ProofKey: Sendable {
    func proof(_ claims: DPoP.Claims) throws -> String  // a JWT of the type dpop+jwt, signed with ES256
    func hash(_ token: String) -> String  // its SHA-256 in Base64url
}

nonisolated struct OAuthFailure: Decodable { let error: String }

actor DPoP: Signed.Signer {
    nonisolated struct Claims: Encodable {
        let jti = UUID().uuidString
        let iat = Int(Date.now.timeIntervalSince1970)
        let htm, htu: String
        let ath, nonce: String?
    }

    private let key: any ProofKey
    private var nonces: [String: String] = [:]  // each server has its own

    init(_ key: any ProofKey) { self.key = key }

    func sign(_ request: inout HTTPRequest, body: Data?) async throws {
        var target = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        target?.query = nil
        let credential = request.headerFields[.authorization]?.split(separator: " ") ?? []
        let token = credential.first == "DPoP" ? credential.last.map(String.init) : nil
        let nonce = nonces[request.url.host ?? ""]
        let (method, url) = (request.method.rawValue, target?.string ?? "")
        let claims = Claims(htm: method, htu: url, ath: token.map(key.hash), nonce: nonce)
        request.headerFields["DPoP"] = try key.proof(claims)
    }

    func shouldSignAgain(after response: HTTPResponse, to request: HTTPRequest) async -> Bool {
        guard let nonce = response.headerFields["DPoP-Nonce"] else { return false }
        nonces[request.url.host ?? ""] = nonce
        let errors = HTTPField.Challenge.all(in: response.headerFields).map { $0["error"] }
        let failure = try? JSONDecoder().decode(OAuthFailure.self, from: response.body.bytes ?? Data())
        return errors.contains("use_dpop_nonce") || failure?.error == "use_dpop_nonce"
    }
}

@Suite("Authentication.md")
struct AuthenticationSamples {
    private let url = Sample.url

    @Test("The credentials in Authentication.md compile, and several in one scope throw an error")
    func credentials() throws {
        let (tokens, password, key) = (Store(), "p", "k")
        let client = Client(url) {
            Authorization(.bearer { try await tokens.current() })  // fetched each time a request is sent
            Authorization(.basic(user: "admin", password: password))
            Authorization(.digest(user: "admin", password: password))
            Authorization(.scheme("Token", key))
            Authorization(.apiKey(key, header: "X-API-Key"))
            Authorization(.apiKey(key, query: "api_key"))
            Authorization.none  // no credential, even if an outer scope declares one
        }
        // A scope may have only one.
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(throws: APIError.self) { try endpoint.plan() }
    }

    @Scope.Builder private func schemes(_ tokens: RefreshingToken) -> Scope {
        Authorization(.scheme("TOKEN", refreshing: tokens))
        Authorization(.apiKey(header: "X-Session", refreshing: tokens))
    }

    @Scope.Builder private func several(_ password: String, _ key: String) -> Scope {
        Authorization(.basic(user: "admin", password: password), .apiKey(key, header: "X-API-Key"))
    }

    @Test("The session in Authentication.md is read from the header field of the rejecting response")
    func handshake() async throws {
        struct NoSession: Error {}
        let password = "p"
        let session = RefreshingToken(waitsForChallenge: true, rejectedBy: 409) { context in
            guard let id = context.headerFields["X-Transmission-Session-Id"] else { throw NoSession() }
            return .init(id)
        }
        let client = Client(url) {
            Authorization(
                .basic(user: "admin", password: password),
                .apiKey(header: "X-Transmission-Session-Id", refreshing: session)
            )
        }
        _ = client
        let stub = StubTransport { request in
            request.headerFields["X-Transmission-Session-Id"] == "s1"
                ? .json("1") : .status(409).header("X-Transmission-Session-Id", "s1")
        }
        let stubbed = Client(url, transport: stub) {
            Authorization(
                .basic(user: "admin", password: password),
                .apiKey(header: "X-Transmission-Session-Id", refreshing: session)
            )
        }
        #expect(try await stubbed.post("rpc", body: 1, as: Int.self) == 1)
        #expect(stub.requests.count == 2)
    }

    @Test("The token with a custom scheme in Authentication.md is refreshed if a problem rejects it")
    func rejection() async throws {
        struct MatrixProblem: ResponseContent { let errcode: String }
        let stub = StubTransport { request in
            if request.template == "oauth/token" { return .json(#"{"accessToken":"t2","expiresIn":3600}"#) }
            return request.headerFields[.authorization] == "TOKEN t2"
                ? .json("1") : .json(#"{"errcode":"M_UNKNOWN_TOKEN"}"#, status: 401)
        }
        let auth = AuthAPI(client: Client(url, transport: stub))
        let (keychain, saved) = (Keychain(), RefreshingToken.AccessToken("t1"))

        let tokens = RefreshingToken(
            saved,
            rejectedBy: [401, 403],
            when: { $0.value(as: MatrixProblem.self)?.errcode == "M_UNKNOWN_TOKEN" }
        ) { context in
            let grant = try await auth.refresh(keychain.refreshToken).send()
            return .init(grant.accessToken)
        }

        let client = Client(url, transport: stub) { Authorization(.scheme("TOKEN", refreshing: tokens)) }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(stub.requests.count == 3)
    }

    @Test("The refreshing token in Authentication.md is refreshed after a 401")
    func refreshing() async throws {
        let stub = StubTransport { request in
            if request.template == "oauth/token" { return .json(#"{"accessToken":"t2","expiresIn":3600}"#) }
            return request.headerFields[.authorization] == "Bearer t2" ? .json("1") : .status(401)
        }
        let auth = AuthAPI(client: Client(url, transport: stub))
        let (keychain, saved) = (Keychain(), RefreshingToken.AccessToken("t1"))

        let tokens = RefreshingToken(saved, refreshBefore: .seconds(60)) { context in
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

        let grant = AuthAPI.Grant(accessToken: "t3", expiresIn: 60)
        tokens.replace(with: .init(grant.accessToken))
        tokens.replace(with: nil)
        #expect(tokens.current == nil)
    }

    @Test("The session in Authentication.md handles login, rotation, restart, a used token and logout")
    func session() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        // Each refresh token is valid once.
        let stub = StubTransport([
            "POST oauth/token": .sequence([
                .json(#"{"access_token":"a1","refresh_token":"r1","expires_in":3600}"#),
                .json(#"{"access_token":"a2","refresh_token":"r2","expires_in":3600}"#), .status(400),
            ]),
            "GET orders": .sequence([.json("[1]"), .status(401), .json("[2]"), .status(401)]),
        ])
        let password = "pw"
        func orders(_ session: Session) async throws(APIError) -> [Int] {
            let client = Client(url, transport: stub) { Authorization(.bearer(refreshing: session.tokens)) }
            return try await client.get("orders", as: [Int].self)
        }
        let accounts = Accounts(url, transport: stub)
        let first = Session(accounts, TokenFile(url: file))
        try await first.login("ann", password)
        #expect(try await orders(first) == [1])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let restarted = Session(accounts, TokenFile(url: file))
        #expect(try await orders(restarted) == [2])
        #expect(TokenFile(url: file).load()?.refresh == "r2")
        let error = await Sample.failure { try await orders(restarted) }
        #expect(error?.localizedDescription == "Sign in again.")
        #expect(TokenFile(url: file).load() == nil)
        let forms = stub.requests.filter { $0.template == "oauth/token" }.map(\.text)
        #expect(
            forms == [
                "grant_type=password&username=ann&password=pw", "grant_type=refresh_token&refresh_token=r1",
                "grant_type=refresh_token&refresh_token=r2",
            ]
        )
        try Data().write(to: file)
        try restarted.logout()
        #expect(restarted.tokens.current == nil)
    }

    @Test("The session in Authentication.md compiles in an app")
    func sessionInApp() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")
        let password = "pw"
        await #expect(throws: APIError.self) {
            let url = try #require(URL(string: "http://127.0.0.1:1"))
            let session = Session(Accounts(url), TokenFile(url: file))
            let client = Client(url) {
                Authorization(.bearer(refreshing: session.tokens))
            }
            try await session.login("ann", password)
            _ = try await client.get("a", as: Int.self)
        }
    }

    @Test("The token source in Authentication.md responds to a registry's challenge")
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

        do throws(APIError) {
            try await registry.check.send()
        } catch {
            guard case .status(let failure) = error else { throw error }
            for challenge in failure.challenges where challenge.isScheme("Bearer") {
                print(challenge["realm"] ?? "", challenge["service"] ?? "", challenge["scope"] ?? "")
            }
        }

        let trusted: Set = ["127.0.0.1"]
        let tokens = RefreshingToken(waitsForChallenge: true) { context in
            guard let challenge = context.challenges.first(where: { $0.isScheme("Bearer") }),
                let realm = challenge["realm"].flatMap(URL.init(string:)), trusted.contains(realm.host ?? "")
            else { throw UnknownRealm() }
            let realms = Client(realm) { Timeout(.seconds(60)) }
            let grant: RealmToken = try await realms.get("") {
                Query("service", challenge["service"])
                Query("scope", challenge["scope"])
            }
            return .init(grant.token)
        }
        let authorized = Client(url, transport: stub) { Authorization(.bearer(refreshing: tokens)) }
        try await Registry(client: authorized).check.send()
        #expect(stub.requests.count == 3)
    }

    @Test("The signer in Authentication.md signs requests")
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

    /// A key whose proofs are unsigned claims.
    private nonisolated struct PlainKey: ProofKey {
        func proof(_ claims: DPoP.Claims) throws -> String {
            "\(claims.htm) \(claims.htu) \(claims.ath ?? "-") \(claims.nonce ?? "-")"
        }

        func hash(_ token: String) -> String { "hash of \(token)" }
    }

    @Test("The DPoP signer in Authentication.md repeats a request with each server's nonce")
    func dpop() async throws {
        let dpop = DPoP(PlainKey())
        let accounts = StubTransport([
            "POST oauth/token": .sequence([
                .response(.json(#"{"error":"use_dpop_nonce"}"#, status: 400).header("DPoP-Nonce", "a1")),
                .json(#"{"accessToken":"t1","expiresIn":60}"#),
            ])
        ])
        let authorized = Client(URL(string: "https://accounts.example") ?? url, transport: accounts) {
            Signed(by: dpop)
        }
        let auth = AuthAPI(client: authorized)
        let tokens = RefreshingToken { _ in .init(try await auth.refresh("r1").send().accessToken) }
        let url = url
        do {
            let client = Client(url) {
                Authorization(.scheme("DPoP", refreshing: tokens))
                Signed(by: dpop)  // share it with the client that fetches the tokens
            }
            #expect(client.url == url)
        }
        let demand = #"DPoP error="use_dpop_nonce", error_description="a nonce is required""#
        let shop = StubTransport([
            "GET a": .sequence([
                .response(.status(401).header("WWW-Authenticate", demand).header("DPoP-Nonce", "s1")),
                .response(.json("1").header("DPoP-Nonce", "s2")), .json("2"),
            ])
        ])
        let stubbed = Client(url, transport: shop) {
            Authorization(.scheme("DPoP", refreshing: tokens))
            Signed(by: dpop)
        }
        #expect(try await stubbed.get("a", as: Int.self) { Query("q", 1) } == 1)
        #expect(try await stubbed.get("a", as: Int.self) == 2)
        #expect(
            accounts.requests.map { $0.headerFields["DPoP"] } == [
                "POST https://accounts.example/oauth/token - -", "POST https://accounts.example/oauth/token - a1",
            ]
        )
        #expect(
            shop.requests.map { $0.headerFields["DPoP"] }
                == ["-", "s1", "s2"].map { "GET https://shop.example/a hash of t1 \($0)" }
        )
    }
}
