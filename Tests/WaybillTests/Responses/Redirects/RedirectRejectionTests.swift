import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Rejected redirects")
struct RedirectRejectionTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let policy: Redirects.Policy
        let location: String
        let text: String

        init(_ testDescription: String, _ location: String, _ text: String, policy: Redirects.Policy = .follow) {
            self.testDescription = testDescription
            self.policy = policy
            self.location = location
            self.text = text
        }
    }

    private static let notHTTP = "the redirect was rejected: the Location of the redirect is not an HTTP URL: "

    @Test(
        "The error for a rejected redirect has the reason, the target and any clause that allows it",
        arguments: [
            Row(
                "https to http",
                "http://shop.example/v1/b",
                "the redirect was rejected: it leads from https to http://shop.example/v1/b, which is not encrypted; "
                    + proxyAdvice
            ),
            Row("a file", "file:///etc/passwd", notHTTP + "file:///etc/passwd"),
            Row("FTP", "ftp://shop.example/b", notHTTP + "ftp://shop.example/b"),
            Row("a script", "javascript:alert(1)", notHTTP + "javascript:alert(1)"),
            Row("an app", "myapp://cb?access_token=s3cret", notHTTP + "myapp://cb?access_token=‹redacted›"),
            Row("no host", "https://", notHTTP + "https://"),
            Row("an invalid host", "https://[::1/b", notHTTP + "https://[::1/b"),
            Row("nothing", "", "the redirect was rejected: its Location is empty"),
            Row("blanks", "  ", "the redirect was rejected: its Location is empty"),
            Row(
                "a user and a password",
                "https://user:s3cret@other.example/b",
                "the redirect was rejected: its Location contains a user or a password:"
                    + " https://‹redacted›@other.example/b"
            ),
            Row(
                "a user",
                "//user@shop.example/b",
                "the redirect was rejected: its Location contains a user or a password:"
                    + " https://‹redacted›@shop.example/b"
            ),
            Row(
                "a password",
                "//:s3cret@shop.example/b",
                "the redirect was rejected: its Location contains a user or a password:"
                    + " https://‹redacted›@shop.example/b"
            ),
            Row("to itself", "/v1/a", "the redirects form a loop: back to https://shop.example/v1/a"),
            Row("to itself by a fragment", "#x?", "the redirects form a loop: back to https://shop.example/v1/a"),
            Row(
                "another origin with a token as fragment, where the policy rejects it",
                "//other.example/b#x=1&access_token=s3cret",
                "the redirect was rejected: it leads to another origin,"
                    + " https://other.example/b; declare Redirects(.follow) to follow it; \(proxyAdvice)",
                policy: .sameOrigin
            ),
            Row("to itself by its name", "a#x", "the redirects form a loop: back to https://shop.example/v1/a"),
            Row(
                "any, where the policy rejects",
                "b?token=s3cret",
                "the redirect was rejected: it leads to https://shop.example/v1/b?token=‹redacted›;"
                    + " declare Redirects(.follow) to follow it",
                policy: .reject
            ),
            Row("a file, where the policy rejects", "file:///a", notHTTP + "file:///a", policy: .reject),
            Row(
                "another origin, where the policy rejects it",
                "//other.example/b?token=s3cret",
                "the redirect was rejected: it leads to another origin, https://other.example/b?token=‹redacted›;"
                    + " declare Redirects(.follow) to follow it; \(proxyAdvice)",
                policy: .sameOrigin
            ),
            Row(
                "http, where no policy could help",
                "http://other.example/b",
                "the redirect was rejected: it leads from https to http://other.example/b, which is not encrypted; "
                    + proxyAdvice,
                policy: .sameOrigin
            ),
            Row(
                "one, where none may be followed",
                "/v1/b",
                "there were too many redirects: more than 0; the last led to https://shop.example/v1/b;"
                    + " Redirects(.follow(upTo:)) allows more",
                policy: .follow(upTo: 0)
            ),
        ]
    )
    func texts(_ row: Row) async {
        let stub = StubTransport { _ in .redirect(to: row.location) }
        let shop = Shop(stub) { Redirects(row.policy) }
        let error = await failure { try await shop.client.get("a", as: Int.self) }
        #expect(
            error?.description == """
                GET a got no response: \(row.text)
                  https://shop.example/v1/a
                """
        )
        #expect(stub.requests.count == 1)
    }

    @Test("A redirect with differing Location fields is rejected")
    func differingLocations() async {
        let stub = StubTransport { _ in .redirect(to: "/v1/b").header("Location", "https://other.example/?token=s") }
        let error = await transportError {
            try await Shop(stub).client.get("a", as: Int.self)
        }
        #expect(error?.kind == .redirectRejected)
        #expect(
            error?.message == "it has several different Location fields: /v1/b and"
                + " https://other.example/?token=‹redacted›"
        )
        #expect(stub.requests.count == 1)
    }

    @Test(
        "A client follows as many redirects as declared, ten by default",
        arguments: [
            (nil, 10), (.follow, 10), (.follow(upTo: 1), 1), (.follow(upTo: 12), 12), (.sameOrigin, 10),
            (.sameOrigin(upTo: 3), 3), (.sameOrigin(upTo: 0), 0),
        ] as [(Redirects.Policy?, Int)]
    )
    func limits(policy: Redirects.Policy?, limit: Int) async throws {
        for count in [limit, limit + 1] {
            let stub = StubTransport { request in
                request.path.count - "/v1/a".count < count ? .redirect(to: request.path + "x") : .json("1")
            }
            let shop = Shop(stub) { if let policy { Redirects(policy) } }
            let error = await transportError {
                try await shop.client.get("a", as: Int.self)
            }
            #expect(error?.kind == (count > limit ? .tooManyRedirects : nil))
            #expect(stub.requests.count == limit + 1)
        }
    }

    @Test("A maximum of Int.max redirects is accepted")
    func largestLimit() async throws {
        let stub = StubTransport { $0.path == "/v1/a" ? .redirect(to: "b") : .json("1") }
        let shop = Shop(stub) { Redirects(.follow(upTo: .max)) }
        #expect(try await shop.client.get("a", as: Int.self) == 1)
    }

    @Test("A redirect loop that does not include the first request is detected")
    func loops() async throws {
        let stub = StubTransport { request in
            .redirect(to: ["/v1/a": "b", "/v1/b": "c", "/v1/c": "b#again"][request.path] ?? "a", status: 303)
        }
        let endpoint: Endpoint<Void> = Shop(stub).endpoint {
            POST("a")
            Redirects(.follow(upTo: 2))
        }
        let error = await transportError { try await endpoint.send() }
        #expect(error?.description == "the redirects form a loop: back to https://shop.example/v1/b")
        #expect(error?.kind == .redirectLoop)
        #expect(stub.requests.map { "\($0.method) \($0.path)" } == ["POST /v1/a", "GET /v1/b", "GET /v1/c"])
    }

    @Test("A redirect that must resend a streamed body is rejected; one without the body is followed")
    func streamedBody() async throws {
        for (status, sent) in [(307, 1), (308, 1), (303, 2)] as [(HTTPResponse.Status, Int)] {
            let stub = StubTransport { $0.path == "/v1/a" ? .redirect(to: "/v1/b", status: status) : .status(204) }
            let endpoint: Endpoint<Void> = Shop(stub).endpoint {
                PUT("a")
                Body(HTTPBody(Self.stream(of: "a")), contentType: "text/plain")
            }
            let error = await transportError { try await endpoint.send() }
            #expect(stub.requests.count == sent)
            #expect(error?.kind == (sent == 1 ? .redirectRejected : nil))
            let text = "its body cannot be sent a second time, to https://shop.example/v1/b"
            #expect(error?.message == (sent == 1 ? text : nil))
        }
    }

    @Test("The innermost redirect policy wins, and an explanation shows it")
    func explanation() throws {
        let rows: [(Redirects.Policy, String)] = [
            (.follow, "follow up to 10"), (.sameOrigin(upTo: 3), "sameOrigin up to 3"), (.reject, "reject"),
        ]
        for (policy, summary) in rows {
            let endpoint: Endpoint<Int> = Shop(StubTransport([:])) { Redirects(.sameOrigin) }.endpoint {
                GET("a")
                Redirects(policy)
            }
            let line = try #require(endpoint.explanation.split(separator: "\n").last)
            #expect(line.hasPrefix("  Redirects: \(summary) "))
            #expect(line.hasSuffix("endpoint, before client: sameOrigin up to 10"))
        }
    }

    private static func stream(of text: String) -> AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
        }
    }
}

/// Returns the transport error thrown by a closure.
private func transportError<Value>(_ work: () async throws -> Value) async -> TransportError? {
    guard let error = await failure(work) else { return nil }
    guard case .transport(let failure) = error else {
        Issue.record("expected a transport failure, not \(error)")
        return nil
    }
    return failure.error
}
