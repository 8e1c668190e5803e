import Foundation
import Testing
import Waybill
import WaybillFiles
import WaybillTesting

#if canImport(CryptoKit)
    import CryptoKit
#endif

nonisolated struct CodeVerifier: Sendable {
    let value: String

    var challenge: String { Data(SHA256.hash(data: Data(value.utf8))).base64URL }

    static func random() -> CodeVerifier {
        CodeVerifier(value: Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64URL)
    }
}

nonisolated extension Data {
    var base64URL: String {
        base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

nonisolated extension Accounts {
    static var app: String { "shop-app" }  // the client_id
    static var redirect: String { "com.example.shop:/signed-in" }

    func authorization(_ verifier: CodeVerifier, state: String) -> Endpoint<Void> {
        endpoint {
            GET("oauth/authorize")
            Query("response_type", "code")
            Query("client_id", Self.app)
            Query("redirect_uri", Self.redirect)
            Query("scope", "orders profile")
            Query("state", state)
            Query("code_challenge", verifier.challenge)
            Query("code_challenge_method", "S256")
        }
    }

    func exchange(_ code: String, _ verifier: CodeVerifier) -> Endpoint<Grant> {
        endpoint {
            POST("oauth/token")
            Body(form: [
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": Self.redirect,
                "client_id": Self.app,
                "code_verifier": verifier.value,
            ])
            Secret("code", "code_verifier")
        }
    }
}

nonisolated struct SignIn: Sendable {
    enum Failure: LocalizedError {
        case foreignCallback
        case declined(String)

        var errorDescription: String? {
            switch self {
            case .foreignCallback: "Signing in did not work. Try again."
            case .declined(let error): error == "access_denied" ? "You did not agree." : "You cannot sign in now."
            }
        }
    }

    let accounts: Accounts
    let session: Session
    private let verifier = CodeVerifier.random()
    private let state = CodeVerifier.random().value

    init(_ accounts: Accounts, _ session: Session) {
        self.accounts = accounts
        self.session = session
    }

    /// The URL of the sign-in page, for a browser.
    func url() throws(APIError) -> URL {
        try accounts.authorization(verifier, state: state).url
    }

    /// Exchanges the code of the callback for tokens.
    func finish(with callback: URL) async throws {
        let items = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard value("state") == state else { throw Failure.foreignCallback }
        if let error = value("error") { throw Failure.declined(error) }
        guard let code = value("code") else { throw Failure.foreignCallback }
        try session.begin(with: await accounts.exchange(code, verifier).send())
    }
}

#if canImport(SwiftUI) && canImport(AuthenticationServices)
    import AuthenticationServices
    import SwiftUI

    @available(macOS 13.3, iOS 16.4, watchOS 9.4, visionOS 1, *)
    @available(tvOS, unavailable)
    struct SignInView: View {
        let accounts: Accounts
        let session: Session
        @Environment(\.webAuthenticationSession) private var browser
        @State private var message = ""

        var body: some View {
            Button("Sign in") {
                Task {
                    do {
                        let signIn = SignIn(accounts, session)
                        let url = try signIn.url()
                        let callback = try await browser.authenticate(
                            using: url,
                            callbackURLScheme: "com.example.shop"
                        )
                        try await signIn.finish(with: callback)
                    } catch ASWebAuthenticationSessionError.canceledLogin {
                        message = ""
                    } catch {
                        message = error.localizedDescription
                    }
                }
            }
            Text(message)
        }
    }
#endif

#if canImport(Security)
    import Security

    nonisolated struct KeychainStore: TokenStore {
        struct Failure: Error { let status: OSStatus }

        let account: String

        private var item: [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: "tokens",
                kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true,
            ]
        }

        func load() throws -> SavedTokens? {
            var result: CFTypeRef?
            let query = item.merging([kSecReturnData: true]) { $1 }
            switch SecItemCopyMatching(query as CFDictionary, &result) {
            case errSecSuccess:
                return try (result as? Data).map { try JSONDecoder().decode(SavedTokens.self, from: $0) }
            case errSecItemNotFound: return nil
            case let status: throw Failure(status: status)
            }
        }

        func save(_ tokens: SavedTokens?) throws {
            let status = try tokens.map(write) ?? SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
        }

        private func write(_ tokens: SavedTokens) throws -> OSStatus {
            let values: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(tokens),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
            guard status == errSecItemNotFound else { return status }
            return SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil)
        }
    }
#endif

@Suite("OAuth.md")
struct OAuthSamples {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("waybill-\(UUID().uuidString)")

    private static func items(_ text: String) -> [String: String] {
        let items = URLComponents(string: text)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @Test("The verifier in RFC 7636, appendix B, has the challenge given there")
    func vector() {
        let verifier = CodeVerifier(value: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("Random verifiers are unique and have 43 unreserved characters")
    func random() {
        let verifiers = (0..<50).map { _ in CodeVerifier.random().value }
        #expect(Set(verifiers).count == 50)
        for verifier in verifiers {
            #expect(verifier.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil, "\(verifier)")
        }
    }

    @Test("The URL for the browser has the query items required by RFC 6749 and RFC 7636")
    func authorization() throws {
        let verifier = CodeVerifier(value: "v")
        let url = try Accounts(Sample.url).authorization(verifier, state: "s").url.absoluteString
        #expect(url.hasPrefix("https://shop.example/oauth/authorize?"))
        #expect(
            Self.items(url) == [
                "response_type": "code", "client_id": "shop-app", "redirect_uri": "com.example.shop:/signed-in",
                "scope": "orders profile", "state": "s", "code_challenge": verifier.challenge,
                "code_challenge_method": "S256",
            ]
        )
    }

    @Test("A code is exchanged, with its verifier, for tokens that are stored and sent")
    func flow() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = StubTransport([
            "POST oauth/token": .json(#"{"access_token":"a1","refresh_token":"r1","expires_in":3600}"#),
            "GET orders": .json("[1]"),
        ])
        let accounts = Accounts(Sample.url, transport: stub)
        let session = Session(accounts, TokenFile(url: file))
        let signIn = SignIn(accounts, session)
        let asked = Self.items(try signIn.url().absoluteString)
        let state = try #require(asked["state"])

        let callback = try #require(URL(string: "com.example.shop:/signed-in?code=c1&state=\(state)"))
        try await signIn.finish(with: callback)

        let form = Self.items("?" + (stub.requests.first?.text ?? ""))
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == "c1")
        #expect(form["redirect_uri"] == asked["redirect_uri"])
        #expect(form["client_id"] == asked["client_id"])
        #expect(CodeVerifier(value: form["code_verifier"] ?? "").challenge == asked["code_challenge"])
        #expect(TokenFile(url: file).load()?.refresh == "r1")
        let client = Client(Sample.url, transport: stub) { Authorization(.bearer(refreshing: session.tokens)) }
        #expect(try await client.get("orders", as: [Int].self) == [1])
        #expect(stub.requests.last?.headerFields[.authorization] == "Bearer a1")
    }

    @Test(
        "A callback with another state or with an error sends nothing",
        arguments: [
            ("code=c1&state=other", "Signing in did not work. Try again."),
            ("code=c1", "Signing in did not work. Try again."),
            ("state=STATE", "Signing in did not work. Try again."),
            ("error=access_denied&state=STATE", "You did not agree."),
            ("error=server_error&state=STATE", "You cannot sign in now."),
        ]
    )
    func callbacks(query: String, sentence: String) async throws {
        let stub = StubTransport { _ in .status(500) }
        let accounts = Accounts(Sample.url, transport: stub)
        let signIn = SignIn(accounts, Session(accounts, TokenFile(url: file)))
        let state = try #require(Self.items(try signIn.url().absoluteString)["state"])
        let text = "com.example.shop:/signed-in?" + query.replacingOccurrences(of: "STATE", with: state)
        let callback = try #require(URL(string: text))
        let error = await #expect(throws: SignIn.Failure.self) { try await signIn.finish(with: callback) }
        #expect(error?.localizedDescription == sentence)
        #expect(stub.requests.isEmpty)
    }
}
