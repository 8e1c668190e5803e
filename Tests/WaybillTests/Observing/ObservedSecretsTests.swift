import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Declared secrets")
struct ObservedSecretsTests {
    struct Payment: Encodable, Sendable {
        var iban = "s3cret-iban"
        var holders = [["Session-Id": "s3cret-holder"]]
    }

    struct Rejection: Decodable, Sendable {
        let iban: String
        let note: String
    }

    /// The part of a request that contains secrets in addition to a header field and the credential.
    enum Carried: CaseIterable {
        case json, form, query, path

        func endpoint(of client: Client) -> Endpoint<Rejection> {
            switch self {
            case .json:
                client.endpoint {
                    POST("a")
                    Body(Payment())
                }
            case .form:
                client.endpoint {
                    POST("a")
                    Body(form: ["iban": "s3cret-iban", "holder[session-id]": "s3cret-holder"])
                }
            case .query:
                client.endpoint {
                    POST("a")
                    Query("iban", "s3cret-iban")
                    Query("session_id", "s3cret-holder")
                }
            case .path:
                client.endpoint { POST("a/\(secret: "s3cret-iban")/b/\(secret: "s3cret-holder").json") }
            }
        }
    }

    /// The way in which the server echoes the secrets.
    enum Repeated: CaseIterable {
        case problem, json, text, wrongType, location, link

        var response: Responder {
            let said = "no s3cret-iban, no s3cret-holder, no s3cret-field"
            let json = #"{"iban":"s3cret-response","note":"\#(said)","list":[{"session_id":"s3cret-list"}]}"#
            return switch self {
            case .problem: .json(json, status: 422)
            case .json: .json(json, status: 400)
            case .text: .text(said, status: 500)
            case .wrongType: .json(#"{"iban":{"a":"s3cret-response"},"note":"s3cret-iban"}"#)
            case .location: .redirect(to: "ftp://a/s3cret-iban?iban=s3cret-iban&x=1")
            case .link: .redirect(to: "/moved/s3cret-iban?iban=s3cret-iban#session_id=s3cret-list")
            }
        }
    }

    @Test(
        "A declared secret echoed by the server is redacted from events, logs, errors and earlier failures",
        arguments: Thoroughness.some(Carried.allCases, oneIn: 3),
        Repeated.allCases
    )
    func secrets(carried: Carried, repeated: Repeated) async throws {
        let lines = Lines()
        let recorder = Recorder()
        let fields = HTTPFields(
            [
                HTTPField(name: .setCookie, value: "a=s3cret-cookie"),
                HTTPField.Name("X-Session").flatMap { HTTPField(name: $0, value: "s3cret-response") },
            ].compactMap { $0 }
        )
        let response = repeated.response.modified { $0.headerFields.append(contentsOf: fields) }
        let stub = StubTransport(StubResponses().otherwise(response))
        let client = Client(Shop.url, transport: stub) {
            Observe(recorder)
            Observe(RequestLog(.headers) { lines.add($0) })
            Retry(attempts: 2, backoff: .none, statuses: [400, 422, 500], methods: [.get, .post])
            Secret("X-Session", "iban", "sessionID")
            Header("X-Session", "s3cret-field")
            Authorization(.scheme("Basic", Data("someone:s3cret-field".utf8).base64EncodedString()))
            if repeated == .problem { Problem(Rejection.self) }
        }
        let endpoint = carried.endpoint(of: client)
        let error = try #require(await failure { try await endpoint.send() })
        var texts = ["\(error)", error.localizedDescription, "\(error.call)", error.call.url ?? ""]
        texts += error.call.earlierFailures.map { "\($0)" }
        texts += try ["\(endpoint)", endpoint.curl(), endpoint.explanation, "\(endpoint.plan())"]
        texts += recorder.events.flatMap { ["\($0)", $0.url, $0.template, "\($0.headerFields)"] }
        texts += lines.all
        #expect(lines.all.count >= 3)
        for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
    }

    @Test("A secret path value is sent but not shown; other path values are shown")
    func path() async throws {
        let stub = StubTransport(["DELETE resets/{}/of/{}": .status(404)])
        let client = Client(Shop.url, transport: stub)
        let endpoint: Endpoint<Void> = client.endpoint { DELETE("resets/\(secret: "a/b c")/of/\(7)") }
        let error = await failure { try await endpoint.send() }
        #expect(stub.requests.map(\.path) == ["/v1/resets/a%2Fb%20c/of/7"])
        #expect(error?.call.url == "https://shop.example/v1/resets/‹redacted›/of/7")
        #expect(try endpoint.curl(revealingSecrets: true).contains("a%2Fb%20c"))
        #expect(try !endpoint.curl().contains("a%2Fb"))
    }

    @Test("An invalid next-page link is shown with declared secrets redacted")
    func link() async throws {
        let shop = Shop(responses: [
            "GET a": .json("[1]").header("Link", #"<ftp://a?session_id=s3cret>; rel="next""#)
        ]) {
            Secret("sessionID")
            Paginated(.link())
        }
        let list: Endpoint<[Int]> = shop.endpoint { GET("a") }
        let error = await failure {
            guard let next = try await list.page().next else { return }
            _ = try await list.page(at: next)
        }
        #expect("\(error as Any)".contains("the link to the next page is not a URL: ftp://a?session_id=‹redacted›"))
        #expect(!"\(error as Any)".contains("s3cret"))
    }
}
