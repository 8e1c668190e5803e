import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Curl commands")
struct CurlTests {
    struct Login: Encodable, Sendable {
        var user = "bo"
        var password = "it's"
    }

    private let client = Client(Shop.url, transport: StubTransport([:])) {
        Authorization(.basic(user: "bo", password: "pw"))
        Header("X-Signature", "abc", secret: true)
        Secret("Session")
    }

    @Test("A curl command redacts secrets")
    func redacted() throws {
        let endpoint: Endpoint<Void> = client.endpoint {
            POST("login/\("a b")")
            Query("session", "xyz")
            Query("next", "a'b")
            Body(Login())
        }
        #expect(
            try endpoint.curl() == #"""
                curl --request POST 'https://shop.example/v1/login/a%20b?session=‹redacted›&next=a%27b' \
                  --header 'Accept: application/json' \
                  --header 'X-Signature: ‹redacted›' \
                  --header 'Content-Type: application/json' \
                  --header 'Authorization: Basic ‹redacted›' \
                  --data-raw '{"password":"‹redacted›","user":"bo"}'
                """#
        )
    }

    @Test(
        "A curl command for a Unix domain socket has the socket path as an option and a URL that curl accepts",
        arguments: [
            ("http+unix://%2Frun%2Fdocker.sock/v1.0", "'http://localhost/v1.0/a%20b?q=1'", "/run/docker.sock"),
            ("HTTP+UNIX://%2Ftmp%2Fit%27s%20mine", "'http://localhost/a%20b?q=1'", #"/tmp/it'\''s mine"#),
        ]
    )
    func socket(url: String, shown: String, path: String) throws {
        let client = Client(try #require(URL(string: url)), transport: StubTransport([:]))
        let endpoint: Endpoint<Void> = client.endpoint {
            GET("\("a b")")
            Query("q", 1)
        }
        let command = try endpoint.curl()
        #expect(command.hasPrefix("curl --request GET \(shown) \\\n  --unix-socket '\(path)'"), "\(command)")
        let head: Endpoint<Void> = client.endpoint { HEAD("\("a b")") }
        #expect(try head.curl().contains("--unix-socket '\(path)'"))
    }

    @Test("A curl command redacts the authorization code in a token request but not an unrelated code")
    func tokenRequest() throws {
        let form: Endpoint<Void> = client.endpoint {
            POST("token")
            Body(form: ["grant_type": "authorization_code", "code": "4uth-c0de-1"])
        }
        #expect(try form.curl().contains("code=‹redacted›"))
        #expect(try form.curl(revealingSecrets: true).contains("code=4uth-c0de-1"))
        let json: Endpoint<Void> = client.endpoint {
            POST("token")
            Body(["client_secret": "abcd", "code": "4uth-c0de-1"])
        }
        #expect(try json.curl().contains(#""code":"‹redacted›""#))
        let query: Endpoint<Void> = client.endpoint {
            GET("token")
            Query("grant_type", "authorization_code")
            Query("code", "4uth-c0de-1")
        }
        #expect(try query.curl().contains("code=‹redacted›"))
        #expect(try !query.explanation.contains("4uth-c0de-1"))
        let voucher: Endpoint<Void> = client.endpoint {
            POST("vouchers")
            Body(form: ["code": "summer-of-2026"])
        }
        #expect(try voucher.curl().contains("code=summer-of-2026"))
    }

    @Test("A curl command reveals secrets on request, quoted for the shell")
    func revealed() throws {
        let endpoint: Endpoint<Void> = client.endpoint {
            POST("login")
            Body(Login())
        }
        #expect(
            try endpoint.curl(revealingSecrets: true) == #"""
                curl --request POST 'https://shop.example/v1/login' \
                  --header 'Accept: application/json' \
                  --header 'X-Signature: abc' \
                  --header 'Content-Type: application/json' \
                  --header 'Authorization: Basic Ym86cHc=' \
                  --data-raw '{"password":"it'\''s","user":"bo"}'
                """#
        )
    }

    @Test("Curl commands support forms, HEAD, empty fields, bytes and fetched credentials")
    func others() throws {
        let form: Endpoint<Void> = client.endpoint {
            POST("token")
            Authorization(.bearer { "never asked for here" })
            Body(form: ["user[password]": "x", "a": "1"])
        }
        let text = try form.curl(revealingSecrets: false)
        #expect(text.contains("--data-raw 'user%5Bpassword%5D=‹redacted›&a=1'"))
        #expect(try form.curl(revealingSecrets: true).contains("Authorization: Bearer ‹fetched when sent›"))

        let head: Endpoint<Void> = client.endpoint {
            HEAD("a")
            Header("X-Empty", "")
        }
        #expect(try head.curl().hasPrefix("curl --head 'https://shop.example/v1/a' \\"))
        #expect(try head.curl().contains("--header 'X-Empty;'"))

        let bytes: Endpoint<Void> = client.endpoint {
            PUT("a")
            Body(Data([0xFF, 0x00]), contentType: "image/png")
        }
        #expect(try bytes.curl().hasSuffix("--data-binary @body"))
    }
}
