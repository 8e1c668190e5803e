import Foundation
import Testing
import Waybill
import WaybillSessions

@Suite("Django sessions", .running(.sessions))
struct DjangoSessionTests {
    private struct Order: Codable, Sendable, Equatable { let id: Int }

    private func post(_ client: Client) -> Endpoint<Order> { client.endpoint { POST("orders/") } }

    private func logIn(_ client: Client, password: String = "p") async throws {
        try await client.endpoint { GET("login/") }.send()
        try await client.endpoint {
            POST("login/")
            Body(form: ["username": "u", "password": password])
        }.send()
    }

    @Test("A login keeps the session, and changes are accepted with the CSRF token", arguments: TransportUnderTest.all)
    func session(over transport: TransportUnderTest) async throws {
        let jar = CookieJar()
        let client = Client(Server.sessions.url, transport: transport.transport) {
            Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken")
        }
        let early = try await failure { try await client.get("orders/", as: [Order].self) }
        #expect(early.status == 401)
        try await logIn(client)
        #expect(jar.cookies.map(\.name) == ["csrftoken", "sessionid"])
        #expect(jar.cookies.allSatisfy { $0.expires != nil && $0.sameSite == .lax })
        #expect(try await client.get("orders/", as: [Order].self) == [Order(id: 7)])
        #expect(try await post(client).send() == Order(id: 8))
        // Django signs out with POST, and deletes the session cookie.
        try await client.endpoint { POST("logout/") }.send()
        #expect(jar.cookies.map(\.name) == ["csrftoken"])
        let late = try await failure { try await client.get("orders/", as: [Order].self) }
        #expect(late.status == 401)
    }

    @Test("A change without the CSRF token is rejected, and a wrong password creates no session")
    func rejected() async throws {
        let jar = CookieJar()
        try await logIn(Client(Server.sessions.url) { Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken") })
        let forged = try await failure { try await post(Client(Server.sessions.url) { Cookies(jar) }).send() }
        #expect(forged.status == 403)
        let other = CookieJar()
        let client = Client(Server.sessions.url) { Cookies(other, csrfToken: "csrftoken", in: "X-CSRFToken") }
        try await logIn(client, password: "wrong")
        #expect(other.cookies.map(\.name) == ["csrftoken"])
    }

    @Test("A session on disk continues in another client")
    func disk() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "waybill-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let jar = try CookieJar.onDisk(at: directory)
        try await logIn(Client(Server.sessions.url) { Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken") })
        let next = try CookieJar.onDisk(at: directory)
        let client = Client(Server.sessions.url) { Cookies(next) }
        #expect(try await client.get("orders/", as: [Order].self) == [Order(id: 7)])
    }
}
