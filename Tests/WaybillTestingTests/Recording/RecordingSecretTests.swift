import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Secrets in recordings")
struct RecordingSecretTests {
    private typealias Shop = RecordingShop
    private let url = URL(string: "https://shop.example/v1") ?? URL(fileURLWithPath: "/")

    @Test("A recording has no secrets, the recorded call gets the server's, and a replay with other secrets matches")
    func secrets() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport(Shop.responses)
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let shop = Shop(url, transport: recorded, token: "first-secret-token")
        let session = try await shop.signIn(.init(user: "ann", password: "open sesame")).send()
        #expect(session.accessToken == "live-token-of-server")
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer first-secret-token"])
        #expect(stub.requests[0].text.contains("open sesame"))
        try recorded.finish()

        let text = try folder.text
        for secret in ["first-secret-token", "open sesame", "live-token-of-server", "1234"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.contains("ann"))

        let replayed = try RecordedTransport(folder.file)
        let again = Shop(url, transport: replayed, token: "other-token")
        let replayedSession = try await again.signIn(.init(user: "ann", password: "another one")).send()
        #expect(replayedSession == Shop.Session(accessToken: "‹redacted›", user: "ann"))
        try replayed.finish()
    }

    @Test(
        "Only the secret element of a body is redacted, and a replay with another secret matches",
        arguments: [["s3ssion-of-ann", "an0ther-session"], [12, 34]] as [[JSONValue]]
    )
    func elements(_ secrets: [JSONValue]) async throws {
        func read(_ secret: JSONValue, _ id: Int, over transport: some Transport) async throws -> JSONValue {
            let endpoint: Endpoint<JSONValue> = Client(url, transport: transport) {
                Secret(body: "params", 0)
            }.endpoint {
                POST("rpc")
                Body(["method": "read", "params": [secret, .integer(id)]] as JSONValue)
            }
            return try await endpoint.send()
        }
        let folder = RecordingFolder()
        let response: JSONValue = ["params": [4711, 4712], "id": 4711]
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .json(response) })
        _ = try await read(secrets[0], 4711, over: recorded)
        try recorded.finish()
        let har = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.file))
        let sent = har["log"]?["entries"]?[0]?["request"]?["postData"]?["text"]
        #expect(sent == #"{"method":"read","params":["‹redacted›",4711]}"#)

        let replayed = try RecordedTransport(folder.file)
        #expect(try await read(secrets[1], 4711, over: replayed) == response)
        try replayed.finish()
        let other = try RecordedTransport(folder.file)
        await #expect(throws: APIError.self) { try await read(secrets[1], 4712, over: other) }
    }

    @Test(
        "The authorization code of a token request is not recorded, whatever the format of the body",
        arguments: [
            ("application/x-www-form-urlencoded", "grant_type=authorization_code&code=4uth-c0de-1&redirect_uri=a"),
            ("application/x-www-form-urlencoded", "client_id=a&client_secret=b&code=4uth-c0de-1"),
            ("application/json", #"{"grantType": "authorization_code", "code": "4uth-c0de-1"}"#),
            ("application/json", #"{"code": "4uth-c0de-1", "code_verifier": "v"}"#),
            ("text/plain", "grant_type=authorization_code&code=4uth-c0de-1"),
        ]
    )
    func codeOfTokenRequest(type: String, body: String) async throws {
        let folder = RecordingFolder()
        let stub = StubTransport { request in .json(#"{"seen": "4uth-c0de-1", "code": "Lamp-of-2026"}"#) }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let endpoint: Endpoint<Data> = Client(url, transport: recorded).endpoint {
            POST("token")
            Body(Data(body.utf8), contentType: type)
        }
        _ = try await endpoint.send()
        try recorded.finish()
        #expect(try !folder.text.contains("4uth-c0de-1"))
        #expect(try folder.text.contains("Lamp-of-2026"))
    }

    @Test(
        "A secret appears in no part of a recording",
        arguments: [
            ("application/json", #"{"password": "hunter22", "n": {"token": ["hunter22", 7]}, "x": "hunter22"}"#),
            ("application/json", #"{"pass\u0077ord": "hunter22"}"#),
            ("application/x-ndjson", "{\"token\": \"hunter22\"}\n{\"a\": 1}\n"),
            ("text/event-stream", "data: {\"token\": \"hunter22\"}\n\n"),
            ("application/x-www-form-urlencoded", "user=ann&password=hunter22"),
            ("text/plain", "my key is hunter22"),
            (
                "multipart/form-data; boundary=xyz",
                "--xyz\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter22\r\n--xyz--\r\n"
            ),
        ]
    )
    func parts(type: String, body: String) async throws {
        let folder = RecordingFolder()
        let stub = StubTransport { request in
            var response = StubResponse(body: Data(body.utf8))
            response.headerFields[.contentType] = type
            response.headerFields[.location] = "/next?token=hunter22"
            return response
        }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let url = try #require(URL(string: "https://ann:hunter22@shop.example/a?api_key=hunter22&b=1"))
        var request = HTTPRequest(method: .post, url: url, body: HTTPBody(Data(body.utf8)))
        request.headerFields[.contentType] = type
        request.headerFields[.authorization] = "Bearer hunter22"
        let response = try await recorded.send(request)
        #expect(try await response.body.collect() == Data(body.utf8))
        #expect(!(try folder.text).contains("hunter22"))
        #expect(try await RecordedTransport(folder.file).send(request).status == 200)
    }

    @Test("A secret in a binary body is not recorded")
    func binary() async throws {
        let folder = RecordingFolder()
        let bytes = Data([0xFF]) + Data("hunter22".utf8) + Data([0xFE])
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .json("1") })
        var request = HTTPRequest(method: .post, url: url, body: HTTPBody(bytes))
        request.headerFields[.authorization] = "Bearer hunter22"
        _ = try await recorded.send(request)
        #expect(!(try folder.text).contains(bytes.base64EncodedString()))
    }
}
