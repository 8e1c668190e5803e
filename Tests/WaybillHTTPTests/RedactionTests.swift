import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "A secret in a URL is redacted",
        arguments: [
            ("https://a.example/x?accessToken=s&q=1", "https://a.example/x?accessToken=‹redacted›&q=1"),
            ("https://a.example/x?Client-Secret=s", "https://a.example/x?Client-Secret=‹redacted›"),
            ("https://a.example/x?user%5Bpassword%5D=s", "https://a.example/x?user%5Bpassword%5D=‹redacted›"),
            ("https://us%40er:s@a.example/x", "https://‹redacted›@a.example/x"),
            ("app://callback#access_token=s&x=1", "app://callback#access_token=‹redacted›&x=1"),
            ("https://a.example/a@b?x=1", "https://a.example/a@b?x=1"),
        ]
    )
    func urls(text: String, shown: String) {
        #expect(Redaction.url(text: text, secretNames: .usual) == shown)
    }

    struct Login: Encodable, Sendable {
        var accessToken = "s3cret-t"
        var note = "plain"
    }

    struct Echo: Decodable, Sendable, CustomStringConvertible {
        let message: String
        var description: String { message }
    }

    @Test("A secret is redacted in a curl command, in an error, and in an explanation")
    func echoes() async throws {
        let text = "no s3cret-t, no s3cret-q, no s3cret-b"
        let shop = Shop(responses: [
            "POST text": .text(text, status: 400), "POST problem": .json(#"{"message":"\#(text)"}"#, status: 400),
            "POST json": .json(#"{"refreshToken":"s3cret-t","note":"s3cret-b"}"#, status: 400),
        ]) {
            Problem(Echo.self)
            Authorization(.bearer { "s3cret-b" })
        }
        for path in ["text", "problem", "json"] {
            let endpoint: Endpoint<Void> = shop.endpoint {
                POST(Route.Path(segments: [path]))
                Query("user[pin]", "s3cret-q", secret: true)
                Body(Login())
            }
            let error = try #require(await failure { try await endpoint.send() })
            #expect(!"\(error) \(try endpoint.curl()) \(try endpoint.explanation)".contains("s3cret"), "\(error)")
        }
    }

    @Test("A body that cannot be searched for secrets is hidden")
    func unreadableBody() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("a")
            Body(Data(#"{"password":"s3cret"}{}"#.utf8), contentType: "application/json")
        }
        #expect(try !endpoint.curl().contains("s3cret"))
        #expect(try endpoint.curl(revealingSecrets: true).contains("s3cret"))
    }

    @Test("A secret is redacted in Location fields of errors and logs, and in descriptions of clauses")
    func locations() async throws {
        let stub = StubTransport { _ in .redirect(to: "myapp://cb?access_token=s3cret") }
        let lines = Lines()
        let client = Client(Shop.url, transport: stub) { Observe(RequestLog(.headers) { lines.add($0) }) }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(!"\(String(describing: error)) \(lines.all)".contains("s3cret"))
        #expect(!"\(Header("X-Session", "s3cret", secret: true)) \(Query("token", "s3cret"))".contains("s3cret"))
    }
}
