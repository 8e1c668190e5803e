import Foundation
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

private nonisolated struct Order: Decodable, Sendable { let id: Int }

@Suite("Cookies.md")
struct CookiesSamples {
    private let url = Sample.url
    private let user = "me"
    private let password = "secret"

    @Test("The jar in Cookies.md inserts, stores, reads and removes cookies")
    func jar() throws {
        let jar = CookieJar()
        let client = Client(url) {
            Cookies(jar)
        }
        #expect("\(client)".contains("Client"))
        let fields: HTTPFields = [HTTPField(name: .setCookie, value: "sessionid=1; Path=/")]
        jar.insert(CookieJar.Cookie("theme", "dark", domain: "shop.example"))
        jar.store(fields, from: url)
        #expect(jar.cookies.map(\.name) == ["theme", "sessionid"])
        #expect(jar.value(of: "theme", for: url) == "dark")
        jar.remove { $0.name == "sessionid" }
        #expect(jar.cookies.count == 1)
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
        #expect(CookieJar(publicSuffixes: ["co.uk"]).cookies.isEmpty)
    }

    @Test("A login sets a session cookie, and the CSRF token is repeated in a header field")
    func login() async throws {
        let stub = StubTransport([
            "GET login/": .status(200).header("Set-Cookie", "csrftoken=t0ken; Path=/"),
            "POST login/": .redirect(to: "/accounts/").header("Set-Cookie", "sessionid=1; Path=/; HttpOnly"),
            "GET accounts/": .status(200),
            "GET orders/": .json(#"[{"id": 7}]"#),
        ])
        // The page's code does not pass a transport.
        func page() async throws -> [Order] {
            let jar = CookieJar()
            let client = Client(url) { Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken") }
            try await client.endpoint { GET("login/") }.send()  // sets csrftoken
            try await client.endpoint {
                POST("login/")
                Body(form: ["username": user, "password": password])
            }.send()
            let orders = try await client.get("orders/", as: [Order].self)  // with sessionid
            return orders
        }
        _ = page
        func logIn(_ transport: StubTransport) async throws -> [Order] {
            let jar = CookieJar()
            let client = Client(url, transport: transport) { Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken") }
            try await client.endpoint { GET("login/") }.send()  // sets csrftoken
            try await client.endpoint {
                POST("login/")
                Body(form: ["username": user, "password": password])
            }.send()
            let orders = try await client.get("orders/", as: [Order].self)  // with sessionid
            return orders
        }
        #expect(try await logIn(stub).map(\.id) == [7])
        let name = try #require(HTTPField.Name("X-CSRFToken"))
        #expect(stub.requests.map { $0.headerFields[name] } == [nil, "t0ken", nil, nil])
        #expect(
            stub.requests.map { $0.headerFields[.cookie] } == [
                nil, "csrftoken=t0ken", "csrftoken=t0ken; sessionid=1", "csrftoken=t0ken; sessionid=1",
            ]
        )
    }

    @Test("Cookies on disk outlive the jar")
    func disk() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "cookies-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let jar = try CookieJar.onDisk(at: directory)
        jar.insert(CookieJar.Cookie("a", "1", domain: "shop.example", expires: .now + 100))
        try await jar.save()
        #expect(try CookieJar.onDisk(at: directory).cookies == jar.cookies)
        let cookies = jar.cookies
        #expect(CookieJar(cookies).cookies == cookies)
        #expect(try CookieJar.onDisk(at: directory, keepsSessionCookies: true).cookies == cookies)
    }

    @Test("A cookie without a jar is sent as a header field")
    func constant() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(url, transport: stub) {
            Header(.cookie, "theme=dark")
        }
        _ = try await client.get("a", as: Int.self)
        #expect(stub.requests.map { $0.headerFields[.cookie] } == ["theme=dark"])
    }
}
