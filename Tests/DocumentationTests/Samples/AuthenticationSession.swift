import Foundation
import Waybill

// The session of Authentication.md, which OAuth.md also uses.

struct Grant: ResponseContent {
    let accessToken: String
    let refreshToken: String
    let expiresIn: Int
}

struct Accounts: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Decode(keys: .convertFromSnakeCase)
            Timeout(.seconds(30))  // a refresh has no other limit
        }
    }

    func login(_ user: String, _ password: String) -> Endpoint<Grant> {
        endpoint {
            POST("oauth/token")
            Body(form: ["grant_type": "password", "username": user, "password": password])
        }
    }

    func refresh(_ token: String) -> Endpoint<Grant> {
        endpoint {
            POST("oauth/token")
            Body(form: ["grant_type": "refresh_token", "refresh_token": token])
        }
    }
}

struct SavedTokens: RequestContent, ResponseContent {
    let access: String
    let refresh: String
    let expires: Date
}

nonisolated protocol TokenStore: Sendable {
    func load() throws -> SavedTokens?
    func save(_ tokens: SavedTokens?) throws
}

nonisolated struct TokenFile: TokenStore {
    let url: URL

    func load() -> SavedTokens? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        return try? JSONDecoder().decode(SavedTokens.self, from: data)
    }

    func save(_ tokens: SavedTokens?) throws {
        guard let tokens else { return try FileManager.default.removeItem(at: url) }
        let data = try JSONEncoder().encode(tokens)
        let isThere = FileManager.default.createFile(
            atPath: url.path,
            contents: data,
            attributes: [.posixPermissions: 0o600]
        )
        guard isThere else { throw CocoaError(.fileWriteUnknown) }
    }
}

nonisolated struct Session: Sendable {
    struct SignedOut: LocalizedError {
        var errorDescription: String? { "Sign in again." }
    }

    let tokens: RefreshingToken
    private let accounts: Accounts
    private let store: any TokenStore

    init(_ accounts: Accounts, _ store: any TokenStore) {
        self.accounts = accounts
        self.store = store
        let saved = (try? store.load()).map { RefreshingToken.AccessToken($0.access, expires: $0.expires) }
        tokens = RefreshingToken(saved) { _ in
            guard let saved = try store.load() else { throw SignedOut() }
            let grant: Grant
            do throws(APIError) {
                grant = try await accounts.refresh(saved.refresh).send()
            } catch {
                switch error {
                case .status(let failure) where failure.status == 400 || failure.status == 401:
                    try store.save(nil)  // used or revoked: the user has to sign in
                    throw SignedOut()
                default: throw error
                }
            }
            return try Self.save(grant, in: store)
        }
    }

    func login(_ user: String, _ password: String) async throws {
        try begin(with: await accounts.login(user, password).send())
    }

    func begin(with grant: Grant) throws {
        tokens.replace(with: try Self.save(grant, in: store))
    }

    func logout() throws {
        try store.save(nil)
        tokens.replace(with: nil)
    }

    private static func save(_ grant: Grant, in store: any TokenStore) throws -> RefreshingToken.AccessToken {
        let expires = Date.now.addingTimeInterval(Double(grant.expiresIn))
        try store.save(SavedTokens(access: grant.accessToken, refresh: grant.refreshToken, expires: expires))
        return .init(grant.accessToken, expires: expires)
    }
}
