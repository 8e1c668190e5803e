import Foundation
import Testing
import Waybill

@Suite("httpbin: redirects", .running(.httpbin))
struct HTTPBinRedirectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String
        let keepsBody: Bool

        var testDescription: String { "\(status)" }
    }

    /// The statuses that redirect a POST, with the method that follows (RFC 9110, section 15.4).
    static let rows = [
        Row(status: 301, method: "GET", keepsBody: false), Row(status: 302, method: "GET", keepsBody: false),
        Row(status: 303, method: "GET", keepsBody: false), Row(status: 307, method: "POST", keepsBody: true),
        Row(status: 308, method: "POST", keepsBody: true),
    ]

    @Test(
        "A redirected POST at httpbin keeps or changes the method depending on the status",
        arguments: TransportUnderTest.all,
        rows
    )
    func kinds(over transport: TransportUnderTest, _ row: Row) async throws {
        let api = HTTPBinAPI(over: transport)
        for target in ["/anything", "\(Server.httpbin.url.absoluteString)/anything", "anything"] {
            let response = try await api.redirect(to: target, status: row.status).response()
            #expect(response.url.path == "/anything")
            #expect(response.value.method == row.method)
            #expect(response.value.json == (row.keepsBody ? ["name": "Lamp"] : nil))
            #expect(response.value.headers["Content-Type"] == (row.keepsBody ? "application/json" : nil))
            #expect(response.value.headers["Authorization"] == "Bearer secret-token")
        }
    }

    @Test(
        "httpbin's redirects are followed in order",
        arguments: TransportUnderTest.all,
        HTTPBinAPI.RedirectKind.allCases
    )
    func chains(over transport: TransportUnderTest, _ kind: HTTPBinAPI.RedirectKind) async throws {
        let api = HTTPBinAPI(over: transport)
        let response = try await api.redirects(kind, count: 5).response()
        #expect(response.status == 200)
        #expect(response.url.path == "/get")
        let relativeToItsQuery = try await api.redirect(to: "?url=/anything", status: 302).response()
        #expect(relativeToItsQuery.url.path == "/anything")

        let error = try await failure(api.redirects(kind, count: 12).send)
        guard case .transport(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.error.kind == .tooManyRedirects)
    }

    @Test("A redirect from httpbin to another origin drops the credential", arguments: TransportUnderTest.all)
    func credentials(over transport: TransportUnderTest) async throws {
        // The same server under another host name is another origin.
        guard var other = URLComponents(url: Server.httpbin.url, resolvingAgainstBaseURL: false),
            other.host == "127.0.0.1"
        else { return }
        other.host = "localhost"
        other.path = "/anything"
        let target = try #require(other.string)
        let response = try await HTTPBinAPI(over: transport).redirect(to: target, status: 307).response()
        #expect(response.url.host == "localhost")
        #expect(response.value.json == ["name": "Lamp"])
        #expect(response.value.headers["Authorization"] == nil)
        #expect(response.value.headers["User-Agent"] == "waybill-tests")
    }

    @Test("An httpbin redirect declared as success is a response", arguments: TransportUnderTest.all)
    func unfollowed(over transport: TransportUnderTest) async throws {
        let endpoint: Endpoint<Void> = HTTPBinAPI(over: transport).endpoint {
            GET("relative-redirect/1")
            Success(302)
        }
        let response = try await endpoint.response()
        #expect(response.status == 302)
        #expect(response.url(in: .location)?.path == "/get")
    }

    @Test("An httpbin redirect to a non-HTTP scheme is rejected", arguments: TransportUnderTest.all)
    func rejected(over transport: TransportUnderTest) async throws {
        let error = try await failure(HTTPBinAPI(over: transport).redirect(to: "file:///etc/hosts", status: 302).send)
        guard case .transport(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.error.kind == .redirectRejected)
    }
}
