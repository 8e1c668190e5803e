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

    @Test("A curl command has its secrets redacted")
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

    @Test("A curl command shows secrets on request, and the shell reads them unchanged")
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

    @Test("A curl command has forms, HEAD, empty fields, bytes and fetched credentials")
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
