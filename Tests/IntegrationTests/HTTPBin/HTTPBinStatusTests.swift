import Foundation
import Testing
import Waybill
import WaybillSessions

@Suite("httpbin: statuses, credentials and cookies", .running(.httpbin))
struct HTTPBinStatusTests {
    @Test(
        "A failed httpbin status has its category",
        arguments: TransportUnderTest.all,
        [
            (400, .clientError), (401, .unauthorized), (403, .clientError), (404, .notFound), (409, .clientError),
            (410, .notFound), (418, .clientError), (422, .clientError), (429, .clientError), (500, .serverError),
            (502, .serverError), (503, .serverError), (304, .other), (300, .other),
        ] as [(Int, APIError.StatusFailure.Category)]
    )
    func failures(over transport: TransportUnderTest, _ row: (code: Int, category: APIError.StatusFailure.Category))
        async throws
    {
        let failure = try await statusFailure(HTTPBinAPI(over: transport).status(row.code).send)
        #expect(failure.status.code == row.code)
        #expect(failure.category == row.category)
        #expect(failure.problem == nil)
        #expect(failure.call.description == "GET status/{}")
    }

    @Test(
        "A successful httpbin response without a body is nil",
        arguments: TransportUnderTest.all,
        [200, 201, 202, 204, 205]
    )
    func successes(over transport: TransportUnderTest, _ code: Int) async throws {
        let response = try await HTTPBinAPI(over: transport).status(code).response()
        #expect(response.status.code == code)
        #expect(response.value == nil)
    }

    @Test("An httpbin failure has its body and header fields", arguments: TransportUnderTest.all)
    func teapot(over transport: TransportUnderTest) async throws {
        let failure = try await statusFailure(HTTPBinAPI(over: transport).status(418).send)
        #expect(String(decoding: failure.body, as: UTF8.self).contains("teapot"))
        #expect(failure.headerFields["x-more-info"] == "http://tools.ietf.org/html/rfc2324")
    }

    @Test("An httpbin response has its header fields, including repeated ones", arguments: TransportUnderTest.all)
    func responseFields(over transport: TransportUnderTest) async throws {
        let fields = try await HTTPBinAPI(over: transport)
            .response(with: ["X-Shop": "lamps", "X-Many": "1", "X-Many": "2"])
            .response().headerFields
        #expect(fields["x-shop"] == "lamps")
        #expect(fields["X-Many"]?.filter { $0 != " " } == "1,2")
    }

    @Test(
        "An httpbin response in HTML throws a decoding error that names the format",
        arguments: TransportUnderTest.all
    )
    func html(over transport: TransportUnderTest) async throws {
        let endpoint: Endpoint<JSONValue> = HTTPBinAPI(over: transport).endpoint { GET("html") }
        let error = try await failure(endpoint.send)
        guard case .decoding = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.description.contains("the body is an HTML page and not JSON"))
    }

    @Test("Basic authentication at httpbin succeeds with the right password only", arguments: TransportUnderTest.all)
    func basicCredential(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let (user, password) = ("bö", "p:ss wörd")
        let greeting = api.greeting(for: user, password: password, credential: .basic(user: user, password: password))
        #expect(try await greeting.send() == .init(authenticated: true, user: user, token: nil))

        let wrong = try await statusFailure(
            api.greeting(for: user, password: password, credential: .basic(user: user, password: "wrong")).send
        )
        #expect(wrong.category == .unauthorized)
        #expect(wrong.headerFields[.wwwAuthenticate]?.hasPrefix("Basic") == true)
        let missing = try await statusFailure(api.greeting(for: user, password: password, credential: nil).send)
        #expect(missing.category == .unauthorized)
    }

    @Test("A bearer token is fetched for each call to httpbin", arguments: TransportUnderTest.all)
    func bearerCredential(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let greeting = api.greeting(forHolderOf: { "token-\(UUID().uuidString)" })
        let (first, second) = (try await greeting.send(), try await greeting.send())
        #expect(first.authenticated)
        #expect(first.token != second.token)
    }

    @Test("httpbin's cookies are not kept across redirects or calls", arguments: TransportUnderTest.all)
    func cookies(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        #expect(try await api.setCookie("session", "1").send().isEmpty)
        #expect(try await api.cookies.send().isEmpty)
        let fields = try await api.response(with: ["Set-Cookie": "session=1; Path=/"]).response().headerFields
        #expect(fields[.setCookie] == "session=1; Path=/")
        #expect(try await api.cookies.send().isEmpty)
    }
}
