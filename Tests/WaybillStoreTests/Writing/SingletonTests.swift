import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Singletons", .inTurn)
struct SingletonTests {
    private struct Profile: Representation, Equatable {
        var name: String
        var theme: String?
    }

    private struct Account: API {
        let client: Client
        var profile: Singleton<Profile, ReadWrite> { singleton("profile") { Envelope("data") } }
    }

    /// A server with one profile, which has a member unknown to the type.
    private final class ProfileServer: Sendable {
        let profile = Locked<JSONValue?>(["name": "Ada", "plan": "free"])
        let requests = Locked<[String]>([])
        let isOffline = Locked(false)

        var client: Client {
            Client(URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/"), transport: StubTransport(respond))
        }

        @Sendable private func respond(_ request: ReceivedRequest) -> StubResponse {
            if isOffline.withLock({ $0 }) { return .failure(TransportError(.cannotConnect)) }
            requests.withLock { $0.append("\(request.method) \(request.path)") }
            let body = try? request.decode(JSONValue.self)
            return profile.withLock { profile in
                guard let old = profile else { return .status(404) }
                switch request.method {
                case .patch: profile = old.applying(mergePatch: body ?? [:])
                case .put: profile = body
                case .delete:
                    profile = nil
                    return .status(204)
                default: break
                }
                return .json(JSONValue.object(["data": profile ?? .null]).description)
            }
        }
    }

    private let server = ProfileServer()

    private func open() async throws -> (Store, StoredSingleton<Profile, ReadWrite>) {
        let store = try await Store.manual()
        return (store, store.singleton(Account(client: server.client).profile))
    }

    @Test("A singleton is fetched, changed offline, and sent, without an ID in its path")
    func written() async throws {
        let (store, profile) = try await open()
        #expect(try await profile.read() == nil)
        try await store.synchronize()
        #expect(try await profile.read() == Profile(name: "Ada"))
        server.isOffline.withLock { $0 = true }
        try await profile.patch { $0.theme = "dark" }
        try await profile.patch { $0.name = "Ada L." }
        try await store.synchronize()
        #expect(try await profile.isPending)
        #expect(try await profile.read() == Profile(name: "Ada L.", theme: "dark"))
        server.isOffline.withLock { $0 = false }
        #expect(try await store.synchronize().isComplete)
        try await profile.update(Profile(name: "Grace"))
        try await store.synchronize()
        #expect(
            server.requests.withLock { $0 } == [
                "GET /profile", "GET /profile", "PATCH /profile", "GET /profile", "GET /profile", "PUT /profile",
                "GET /profile",
            ]
        )
        #expect(server.profile.withLock { $0 } == ["name": "Grace", "plan": "free"])
    }

    @Test("A singleton deleted on the server is removed")
    func removed() async throws {
        let (store, profile) = try await open()
        try await store.synchronize()
        server.profile.withLock { $0 = nil }
        try await store.synchronize()
        #expect(try await profile.read() == nil)
        await #expect(throws: StoreError.self) { try await profile.patch { $0.theme = "dark" } }
    }

    @Test("A deletion is sent")
    func deleted() async throws {
        let (store, profile) = try await open()
        try await store.synchronize()
        try await profile.delete()
        #expect(try await profile.read() == nil)
        try await store.synchronize()
        #expect(server.profile.withLock { $0 } == nil)
    }

    @Test("Server first, the store keeps the response's value, and a failure changes nothing")
    func inStep() async throws {
        let (_, profile) = try await open()
        #expect(try await profile.inStep.read() == Profile(name: "Ada"))
        #expect(try await profile.inStep.patch { $0.theme = "dark" } == Profile(name: "Ada", theme: "dark"))
        #expect(try await profile.inStep.update(Profile(name: "Grace")) == Profile(name: "Grace"))
        server.isOffline.withLock { $0 = true }
        await #expect(throws: StoreError.self) { try await profile.inStep.patch { $0.theme = "light" } }
        #expect(try await profile.read() == Profile(name: "Grace"))
        #expect(try await profile.inStep.read(maximumAge: .seconds(60)) == Profile(name: "Grace"))
    }

    @Test("The sequence of values begins with the current one")
    func values() async throws {
        let (store, profile) = try await open()
        var values = profile.values.makeAsyncIterator()
        #expect(await values.next() == .some(.none))
        try await store.synchronize()
        #expect(await values.next() == .some(.some(Profile(name: "Ada"))))
        try await profile.patch { $0.theme = "dark" }
        #expect(await values.next() == .some(.some(Profile(name: "Ada", theme: "dark"))))
        await store.close()
        #expect(await values.next() == nil)
    }
}
