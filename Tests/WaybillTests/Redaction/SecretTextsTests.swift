import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

@Suite("Secrets in descriptions", .serialized)
struct SecretTextsTests {
    @Test(
        "Descriptions of a call's values show no secrets, even if the server echoes them in every field",
        arguments: SecretAPI.Kind.allCases
    )
    func valuesOfCalls(kind: SecretAPI.Kind) async throws {
        let api = SecretAPI(kind)
        let values = try await api.printedValues()
        #expect(values.count > 40, "\(values.count)")
        // Check a third of the values for the fully printed kind, and a different ninth for each other kind.
        let turn = SecretAPI.Kind.allCases.firstIndex(of: kind) ?? 0
        for (index, value) in values.enumerated()
        where Thoroughness.isWhole || (api.isWhole ? index % 3 == 0 : index % 9 == turn % 9) {
            // Give other tests a chance to run.
            await Task.yield()
            for text in api.isWhole ? Texts.all(of: value.value) : Texts.dumps(of: value.value) {
                for secret in Texts.leaked(api.secrets, in: text.text) {
                    Issue.record("\(value.name), \(text.way): \(secret) in \(text.text)")
                }
            }
        }
    }

    @Test(
        "Descriptions of clauses, credentials and tokens show no secrets",
        arguments: ["cl4use-secret", #"cl4use "secret"/+é"#]
    )
    func declarations(secret: String) throws {
        struct Signer: Signed.Signer {
            let key: String
            func sign(_ request: inout HTTPRequest, body: Data?) async throws {}
        }
        struct Login: Encodable, Sendable { let password: String }
        let token = RefreshingToken.AccessToken(secret, expiresIn: .seconds(60))
        let path: Route.Path = "resets/\(secret: secret)"
        var values: [Any] = [
            Authorization.Credential.bearer(secret), Authorization.Credential.basic(user: "ann", password: secret),
            Authorization.Credential.digest(user: "ann", password: secret),
            Authorization.Credential.apiKey(secret, header: "X-Key"),
            Authorization.Credential.apiKey(secret, query: "key"), Authorization.Credential.scheme("Token", secret),
            Authorization(.bearer(secret)), Authorization(.bearer(refreshing: RefreshingToken(token) { _ in token })),
            token, RefreshingToken(token) { _ in token }, RefreshingToken.RefreshContext(token: token),
            Query("key", secret, secret: true), Query("api_key", secret), Signed(by: Signer(key: secret)),
            Body(Login(password: secret)), Body(form: ["password": secret]), path, Route("PURGE", path), GET(path),
            On(.read) { GET(path) }, Use(Stamp(value: secret)),
            GET(at: "https://shop.example/a?api_key=\(PercentEncoding.encode(secret))"),
            Paginated.Scheme.Request(query: ["token": secret]),
            Paginated.Scheme.Fields(dictionaryLiteral: ("password", secret)),
        ]
        values.append(HTTPField(name: .authorization, value: "Bearer x"))
        values.append(Header("X-Key", secret, secret: true))
        for value in values {
            // A page token is not a client secret, and its JSON must preserve it.
            for text in Texts.all(of: value)
            where text.way != "JSON" || !(value is Paginated.Scheme.Request || value is Paginated.Scheme.Fields) {
                #expect(Texts.leaked([secret], in: text.text).isEmpty, "\(type(of: value)), \(text.way): \(text.text)")
            }
        }
    }

    @Test("A cursor's JSON contains no secrets, and pagination resumes from it with the client's secrets")
    func cursors() async throws {
        for kind in SecretAPI.Kind.allCases {
            let api = SecretAPI(kind)
            let page = try await api.list.page()
            let cursor = try #require(page.next)
            let json = try JSONEncoder().encode(cursor)
            let text = String(decoding: json, as: UTF8.self)
            #expect(Texts.leaked(api.secrets, in: text).isEmpty, "\(kind): \(text)")
            let resumed = try JSONDecoder().decode(Cursor.self, from: json)
            let next = try await api.list.page(at: resumed)
            #expect(next.items == [2])
            let sent = try #require(api.transport.requests.all.last)
            #expect(sent.url.path(percentEncoded: true).hasSuffix(PercentEncoding.encode(api.path)))
            let items = URLComponents(url: sent.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            #expect(items.filter { $0.name == "page" }.map(\.value) == ["2"])
            #expect(items.filter { $0.name == "sig" }.map(\.value) == [api.query])
            #expect(items.filter { $0.name == "iban" }.map(\.value) == [api.namedQuery])
            if kind == .queryKey { #expect(items.filter { $0.name == "key" }.map(\.value) == [api.credential]) }
            #expect(try await api.list.pages.reduce(into: []) { $0 += $1.items } == [1, 2])
        }
    }
}

@Suite("Using redacted values")
struct RedactedValuesTests {
    @Test("A transport receives the secrets of a request unredacted")
    func transport() async throws {
        let api = SecretAPI(.bearer)
        _ = try await api.endpoint("good").send()
        let request = try #require(api.transport.requests.all.first)
        #expect(request.headerFields["X-Session"] == api.namedField)
        #expect(request.headerFields["X-Signature"] == api.field)
        #expect(request.headerFields[.authorization] == "Bearer \(api.credential)")
        #expect(request.url.path(percentEncoded: true).hasSuffix(PercentEncoding.encode(api.path)))
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        #expect(items.map(\.value) == [api.query, api.namedQuery])
    }

    @Test("A URL and header fields changed by a middleware stay redacted")
    func middleware() async throws {
        struct Changing: Middleware {
            let texts: Lines
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                request.url.append(queryItems: [URLQueryItem(name: "iban", value: "s3cret-other")])
                texts.add(request.headerFields["X-Session"] ?? "")
                if let name = HTTPField.Name("X-Session") { request.headerFields[name] = "s3cret-new" }
                texts.add("\(request) \(request.headerFields) \(request.headerFields.map { $0 })")
                request.headerFields = HTTPFields(request.headerFields.filter { $0.name != .accept })
                texts.add("\(request) \(request.headerFields) \(request.headerFields.map { $0 })")
                return try await next(request)
            }
        }
        let texts = Lines()
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) {
            Secret("X-Session", "iban")
            Header("X-Session", "s3cret-old")
            Use(Changing(texts: texts))
        }
        _ = try await client.get("a", as: Int.self)
        let sent = try #require(stub.requests.first)
        #expect(sent.url.absoluteString == "https://shop.example/v1/a?iban=s3cret-other")
        #expect(sent.headerFields["X-Session"] == "s3cret-new")
        #expect(texts.all.first == "s3cret-old")
        #expect(texts.all.count == 3)
        for text in texts.all.dropFirst() { #expect(!text.contains("s3cret"), "\(text)") }
    }

    @Test("Header fields and URLs compare and hash without regard to redaction")
    func equality() throws {
        let client = Client(Shop.url, transport: StubTransport([:])) {
            Secret("X-Session")
            Header("X-Session", "s3cret")
        }
        let declared = try client.endpoint { GET("a") }.plan()
        var own = HTTPFields()
        own[.accept] = "application/json"
        own.append(HTTPField(name: try #require(HTTPField.Name("X-Session")), value: "s3cret"))
        #expect(declared.headerFields == own)
        #expect(Set([declared.headerFields, own]).count == 1)
        #expect(Set(Array(declared.headerFields) + Array(own)).count == 2)
        #expect(declared.url == Shop.url.appending(path: "a"))
        #expect("\(declared.headerFields)" == "Accept: application/json\nX-Session: ‹redacted›")
        #expect("\(own)" == "Accept: application/json\nX-Session: s3cret")
    }

    @Test(
        "A URL from a server shows neither its user information nor the values of secret names",
        arguments: [
            "https://ann:s3cret@shop.example/", "https:\\\\ann:s3cret@shop.example/", "https:/ann:s3cret@shop.example",
            "//ann:s3cret@shop.example/a", "/a;token=s3cret/b", "/a?x=1;token=s3cret", "/a?x=1#token=s3cret",
            "/a?x=/b?token=s3cret", "/a?%74oken=s3cret", "/a?user[token]=s3cret", "?token=s3cret", "#token=s3cret&a=1",
            "https://s3cret-v4lue.example/", "/a/s3cret-v4lue?b=s3cret-v4lue", "/a?b=s3cret%2Dv4lue",
        ]
    )
    func oddURLs(text: String) {
        let names = SecretNameSet.usual.hiding(["s3cret-v4lue"])
        let shown = Redaction.url(text: text, secretNames: names)
        #expect(!shown.contains("s3cret"), "\(shown)")
    }

    @Test("A URL without secrets is shown unchanged", arguments: ["/users/@me", "/a;v=1/b?c=1;d=2#e", "a:b@c/d?e=@f"])
    func plainURLs(text: String) {
        #expect(
            Redaction.url(text: text, secretNames: .usual) == (text.hasPrefix("a:") ? "a:‹redacted›@c/d?e=@f" : text)
        )
    }
}

private struct Stamp: Middleware {
    let value: String

    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        try await next(request)
    }
}
