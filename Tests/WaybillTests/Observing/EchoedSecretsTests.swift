import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

@Suite("Echoed secrets")
struct EchoedSecretsTests {
    struct Rejection: Decodable, Sendable { let detail: String }

    struct Login: Encodable, Sendable { let password: String }

    /// The part of a request that contains the secret.
    enum Carried: CaseIterable {
        case password, digest, key, keyInQuery, json, form, path

        func client(_ stub: StubTransport, _ secret: String, @Scope.Builder _ clauses: () -> Scope) -> Client {
            Client(Shop.url, transport: stub) {
                switch self {
                case .password: Authorization(.basic(user: "ann", password: secret))
                case .digest: Authorization(.digest(user: "ann", password: secret))
                case .key: Authorization(.apiKey(secret, header: "X-Key"))
                case .keyInQuery: Authorization(.apiKey(secret, query: "key"))
                case .json, .form, .path: Authorization.none
                }
                clauses()
            }
        }

        func endpoint(of client: Client, _ secret: String) -> Endpoint<Int> {
            switch self {
            case .json:
                client.endpoint {
                    POST("a")
                    Body(Login(password: secret))
                }
            case .form:
                client.endpoint {
                    POST("a")
                    Body(form: ["password": secret])
                }
            case .path: client.endpoint { POST("a/\(secret: secret)") }
            case .password, .digest, .key, .keyInQuery: client.endpoint { POST("a") }
            }
        }
    }

    /// The format in which the server writes the secret.
    enum Written: CaseIterable {
        case json, asciiJSON, slashedJSON, swift, percent, form, html, nested

        /// Returns the content of a JSON string that contains the secret.
        func content(_ secret: String) -> String {
            let plain = Self.escaped(secret)
            return switch self {
            case .json: plain
            case .asciiJSON: Self.ascii(secret)
            case .slashedJSON: plain.replacingOccurrences(of: "/", with: #"\/"#)
            case .swift, .percent, .form, .html, .nested: Self.escaped(text(secret))
            }
        }

        /// Returns text that contains the secret.
        func text(_ secret: String) -> String {
            switch self {
            case .json: Self.escaped(secret)
            case .asciiJSON: Self.ascii(secret)
            case .slashedJSON: Self.escaped(secret).replacingOccurrences(of: "/", with: #"\/"#)
            case .swift: String(reflecting: secret)
            case .percent: PercentEncoding.encode(secret).lowercased()
            case .form: PercentEncoding.encode(secret).replacingOccurrences(of: "%20", with: "+")
            case .html:
                secret.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
                    .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: "'", with: "&#39;")
            case .nested: #"{"was":"\#(Self.escaped(secret))"}"#
            }
        }

        private static func escaped(_ text: String) -> String {
            String(JSONValue.string(text).description.dropFirst().dropLast())
        }

        private static func ascii(_ text: String) -> String {
            text.utf16.map { unit in
                let isPlain = unit > 0x22 && unit < 0x7F && unit != 0x5C && unit != 0x3C
                return isPlain ? String(decoding: [unit], as: UTF16.self) : String(format: "\\u%04x", Int(unit))
            }.joined()
        }
    }

    /// The part of the response in which the server writes the secret.
    enum Place: CaseIterable {
        case text, json, key, problem, wrongType

        func response(_ written: Written, _ secret: String) -> Responder {
            switch self {
            case .text: .text("no user with \(written.text(secret))", status: 500)
            case .json, .problem: .json(#"{"detail":"no \#(written.content(secret))"}"#, status: 403)
            case .key: .json(#"{"\#(written.content(secret))":1}"#, status: 403)
            case .wrongType: .json(#""\#(written.content(secret))""#)
            }
        }
    }

    static let secrets = [#"p"\s3cret"#, #"s3cret\n"/'#"#, "s3cret +<&%"]

    @Test(
        "A secret echoed with any escaping is redacted",
        arguments: Thoroughness.some(Carried.allCases, oneIn: 3),
        Written.allCases
    )
    func echoes(carried: Carried, written: Written) async throws {
        let turn = (Carried.allCases.firstIndex(of: carried) ?? 0) + (Written.allCases.firstIndex(of: written) ?? 0)
        // JSON bodies also use a secret with characters that only a body can contain.
        let secrets =
            (Thoroughness.isWhole ? Self.secrets : [Self.secrets[turn % Self.secrets.count]])
            + (carried == .json ? ["s3cret\né\u{1F600}"] : [])
        for secret in secrets {
            for place in Place.allCases {
                let lines = Lines()
                let stub = StubTransport(StubResponses().otherwise(place.response(written, secret)))
                let client = carried.client(stub, secret) {
                    Observe(RequestLog(.headers) { lines.add($0) })
                    if place == .problem { Problem(Rejection.self) }
                }
                let error = try #require(
                    await failure {
                        try await carried.endpoint(of: client, secret).send()
                    }
                )
                for text in ["\(error)"] + lines.all {
                    #expect(!text.contains("s3cret"), "\(carried) \(written) \(place): \(text)")
                }
                #expect("\(error)".contains("‹redacted›"), "\(place): \(error)")
            }
        }
    }

    @Test("Server text without secrets is shown unchanged")
    func rest() async throws {
        let stub = StubTransport { _ in .json(#"{"detail":"a\\b \"c\" 50% s3cret\\d"}"#, status: 403) }
        let client = Client(Shop.url, transport: stub) { Authorization(.bearer("s3cret")) }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect("\(error as Any)".contains(#"{"detail":"a\\b \"c\" 50% ‹redacted›\\d"}"#), "\(error as Any)")
    }

    @Test("A secret echoed in the failed items of a batch is redacted")
    func items() async throws {
        let secret = #"p"\s3cret"#
        let stub = StubTransport { _ in .json(#"[{"error":{"detail":"no p\"\\s3cret"}},{"id":1,"name":"a"}]"#) }
        enum Bulk: BatchCreatable {}
        let products: Resource<Product, Bulk> = Shop(stub) {
            Authorization(.apiKey(secret, header: "X-Key"))
            WriteResult.ItemProblem(Rejection.self, at: "error")
        }.resource("products")
        let error = await failure {
            try await products.create([Product.Draft(name: "a"), Product.Draft(name: "b")])
        }
        guard case .items(let failure)? = error else {
            Issue.record("expected items that failed, not \(error as Any)")
            return
        }
        #expect("\(failure)".contains("‹redacted›"))
        #expect(!"\(failure)".contains("s3cret"), "\(failure)")
        #expect(failure.items.first?.problem(as: Rejection.self)?.detail.contains(secret) == true)
    }

    @Test(
        "Text around an echoed secret stays readable in a challenge and in a URL",
        arguments: [
            Authorization.Credential.bearer("s3cr3t-token"), .digest(user: "ann", password: "s3cr3t"),
            .scheme("Auth", "s3cr3t"),
        ]
    )
    func words(credential: Authorization.Credential) async throws {
        let texts = Lines()
        let challenge = #"Digest realm="shop", nonce="abcdef", algorithm=SHA-256, qop="auth", error="invalid_token""#
        let stub = StubTransport { _ in
            .status(401).header("WWW-Authenticate", challenge).header("Link", "</oauth/authorize>; rel=help")
        }
        let client = Client(Shop.url, transport: stub) {
            Authorization(credential)
            Header(.cookie, "session=s3cr3t-cookie; theme=dark")
            Observe { texts.add("\($0.headerFields)") }
        }
        _ = await failure { try await client.get("a", as: Int.self) }
        let text = texts.all.joined()
        #expect(text.contains(challenge), "\(text)")
        #expect(text.contains("</oauth/authorize>; rel=help"))
        #expect(!text.contains("s3cr3t"))
    }
}
