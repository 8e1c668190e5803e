import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Credentials across a recording")
struct RecordingCredentialTests {
    /// A client of a wiki that sends tokens in responses and expects them in forms.
    private struct Wiki: Sendable {
        let transport: any Transport
        let url = URL(string: "https://wiki.example/api.php") ?? URL(fileURLWithPath: "/")

        /// Logs in and edits with the tokens of the responses, and returns these tokens.
        func edit() async throws -> [String] {
            let login = try await query("login", "logintoken")
            try await post("lgname=ann&lgpassword=open-sesame-1", "lgtoken", login)
            let other = try await query("patrol", "patroltoken")
            try await post("action=edit", "token", other)
            return [login, other]
        }

        private let options = TransferOptions(template: "api.php")

        private func query(_ type: String, _ key: String) async throws -> String {
            let address = try #require(URL(string: "\(url)?action=query&meta=tokens&type=\(type)"))
            let response = try await transport.send(HTTPRequest(method: .get, url: address), options: options)
            let value = try JSONDecoder().decode(JSONValue.self, from: try await response.body.collect())
            return try #require(value["query"]?["tokens"]?[key]?.stringValue)
        }

        private func post(_ form: String, _ name: String, _ token: String) async throws {
            var request = HTTPRequest(method: .post, url: url)
            request.headerFields[.contentType] = "application/x-www-form-urlencoded"
            request.body = HTTPBody(Data("\(form)&\(name)=\(PercentEncoding.encode(token))".utf8))
            _ = try await transport.send(request, options: options)
        }

        /// Returns a server whose tokens differ in each run.
        static func server(_ run: Int) -> StubTransport {
            StubTransport { request in
                guard request.method == .get else { return .json(#"{"result": "Success"}"#) }
                let type = request.url.query(percentEncoded: false)?.split(separator: "=").last ?? ""
                return .json(#"{"query": {"tokens": {"\#(type)token": "\#(run)f8e7d6c5b4a3-\#(type)+\\"}}}"#)
            }
        }
    }

    @Test("A response token that a later request sends appears nowhere in the file, and a replay has placeholders")
    func tokens() async throws {
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: Wiki.server(1))
        let tokens = try await Wiki(transport: recorded).edit()
        #expect(tokens == [#"1f8e7d6c5b4a3-login+\"#, #"1f8e7d6c5b4a3-patrol+\"#])
        try recorded.finish()
        let text = try folder.text
        for secret in ["f8e7d6c5b4a3", "open-sesame-1"] { #expect(!text.contains(secret), "\(text)") }
        var dumped = ""
        dump(recorded, to: &dumped)
        #expect(!dumped.contains("f8e7d6c5b4a3"))

        let replayed = try RecordedTransport(folder.file)
        #expect(try await Wiki(transport: replayed).edit() == ["‹redacted›", "‹redacted›"])
        try replayed.finish()

        let again = try RecordedTransport(folder.file, .record, over: Wiki.server(2))
        _ = try await Wiki(transport: again).edit()
        #expect(try folder.text == text)
    }

    /// A value, and an exchange that makes it a credential.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var secret = "k3y-of-the-session"
        var send: @Sendable (inout HTTPRequest, String) -> Void = { _, _ in }
        var respond: @Sendable (inout StubResponse, String) -> Void = { _, _ in }

        var testDescription: String { name }
    }

    private static let rows = [
        Row(
            name: "a bearer token",
            send: { request, secret in request.headerFields[.authorization] = "Bearer \(secret)" }
        ),
        Row(name: "a cookie", send: { request, secret in request.headerFields[.cookie] = "a=b; sid=\(secret)" }),
        Row(
            name: "a cookie that is set",
            respond: { response, secret in
                response.headerFields[.setCookie] = "sid=\(secret); Path=/; Domain=shop.example"
            }
        ),
        Row(
            name: "a query item",
            send: { request, secret in
                request.url.append(queryItems: [URLQueryItem(name: "api_key", value: secret)])
            }
        ),
        Row(
            name: "a member",
            send: { request, secret in
                request.headerFields[.contentType] = "application/json"
                request.body = HTTPBody(Data(#"{"client_secret": "\#(secret)"}"#.utf8))
            }
        ),
        Row(
            name: "a member of a response",
            respond: { response, secret in
                response = .json(#"{"csrf_token": "\#(secret)"}"#)
            }
        ),
        Row(
            name: "a member in a string of a response",
            respond: { response, secret in
                response = .json(#"{"body": "{\"id_token\": \"\#(secret)\"}"}"#)
            }
        ),
        Row(
            name: "an item of a form",
            send: { request, secret in
                request.headerFields[.contentType] = "application/x-www-form-urlencoded"
                request.body = HTTPBody(Data("a=b&csrfmiddlewaretoken=\(secret)".utf8))
            }
        ),
        Row(
            name: "an item of a form in a response",
            respond: { response, secret in
                response.body = Data("oauth_token=\(secret)&oauth_token_secret=other-s3cret".utf8)
                response.headerFields[.contentType] = "application/x-www-form-urlencoded"
            }
        ),
        Row(
            name: "the code of a redirect",
            respond: { response, secret in
                response.headerFields[.location] = "/callback?code=\(secret)&state=a"
            }
        ),
        Row(
            name: "a number",
            secret: "734901556620",
            send: { request, secret in
                request.headerFields[.contentType] = "application/json"
                request.body = HTTPBody(Data(#"{"pass": 1, "password": \#(secret)}"#.utf8))
            }
        ),
    ]

    @Test(
        "A credential appears in no exchange of the file, before or after the one that reveals it",
        arguments: rows,
        [true, false]
    )
    func places(row: Row, isFirst: Bool) async throws {
        let folder = RecordingFolder()
        let secret = row.secret
        let stub = StubTransport { request in
            var response = StubResponse(status: 200)
            if request.url.path == "/credential" {
                row.respond(&response, secret)
                return response
            }
            let isNumber = secret.allSatisfy(\.isNumber)
            return .json(#"{"plain": \#(isNumber ? secret : "\"\(secret)\""), "note": "of \#(secret)"}"#)
                .header("X-Echo", "\(secret)!")
        }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        var other = HTTPRequest(
            method: .post,
            url: try #require(URL(string: "https://a.example/v/\(secret)?q=\(secret)"))
        )
        other.body = HTTPBody(Data(#"{"note": "\#(secret)"}"#.utf8))
        other.headerFields[.contentType] = "application/json"
        var credential = HTTPRequest(method: .post, url: try #require(URL(string: "https://a.example/credential")))
        row.send(&credential, secret)
        let requests = isFirst ? [credential, other] : [other, credential]
        for request in requests { _ = try await recorded.send(request) }
        try recorded.finish()
        let text = try folder.text
        #expect(!text.contains(secret), "\(text)")

        // In the replay, the app sends the original value, even before a request reveals it as a secret.
        let replayed = try RecordedTransport(folder.file)
        for request in requests {
            let body = try await replayed.send(request).body.collect()
            if request.url == other.url {
                let value = try JSONDecoder().decode(JSONValue.self, from: body)
                #expect(value["note"] == "of ‹redacted›")
            }
        }
        try replayed.finish()
    }

    @Test("A credential of one recording is removed from the other ones that the process records in the file")
    func names() async throws {
        let folder = RecordingFolder()
        let secret = "k3y-of-the-session"
        let stub = StubTransport { _ in .json(#"{"plain": "\#(secret)"}"#) }
        let url = try #require(URL(string: "https://a.example/a"))
        _ = try await RecordedTransport(folder.file, .record, named: "a", over: stub)
            .send(HTTPRequest(method: .get, url: url))
        var request = HTTPRequest(method: .get, url: url)
        #expect(try folder.text.contains(secret))
        request.headerFields[.authorization] = "Bearer \(secret)"
        _ = try await RecordedTransport(folder.file, .record, named: "b", over: stub).send(request)
        #expect(!(try folder.text).contains(secret))
        _ = try await RecordedTransport(folder.file, .record, named: "c", over: stub)
            .send(HTTPRequest(method: .get, url: url))
        #expect(!(try folder.text).contains(secret))
    }

    @Test(
        "A login token is secret under its usual names, but a word, a number, a date or a path is not",
        arguments: [
            (#"{"refresh": "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "access": "0a1b2c3d4e5f6a7b8c9d"}"#, false),
            (#"{"accessJwt": "a.b.c.of-bluesky", "refreshJwt": "d.e.f.of-bluesky"}"#, false),
            (#"{"jwt": "short"}"#, false), (#"{"csrf": "short"}"#, false), (#"{"csrfToken": "short"}"#, false),
            (#"{"xsrf-token": "short"}"#, false), (#"{"authenticity_token": "short"}"#, false),
            (#"{"access": "public", "refresh": 30}"#, true), (#"{"access": "read-and-write-all"}"#, true),
            (#"{"refresh": "2026-05-01T12:00:00Z"}"#, true), (#"{"access": "/v2/shelves/reading"}"#, true),
            (#"{"refresh": null, "access": true}"#, true), (#"{"access": {"level": 3}}"#, true),
            (#"{"next_page_token": "0a1b2c3d4e5f6a7b8c9d"}"#, true),
        ]
    )
    func logins(body: String, isKept: Bool) async throws {
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .json(body) })
        _ = try await recorded.send(HTTPRequest(method: .get, url: try #require(URL(string: "https://a.example/a"))))
        let response = try await RecordedTransport(folder.file)
            .send(HTTPRequest(method: .get, url: try #require(URL(string: "https://a.example/a"))))
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        #expect((text == body) == isKept, "\(text)")
        #expect(text.contains("‹redacted›") != isKept)
    }

    @Test(
        "A secret member is not recorded, even with an escaped key, in broken JSON or in JSON within a string",
        arguments: [
            #"{"pass\u0077ord": "s3cr3t", "a":}"#, #"{"a": [,], "pass\u0077ord": "s3cr3t"#, #"a " {"token": "s3cr3t"}"#,
            #"{"detail": "{\"password\": \"s3cr3t\", \"n\": 1}", "n": 1}"#, #"{"detail": "{\"password\": \"s3cr"#,
            #"{"detail": "{\"pass\\u0077ord\": \"s3cr3t\"}"}"#, #"["{\u0022token\u0022: [\u0022s3cr3t\u0022]}"]"#,
            #"{"a": "{\"b\": \"{\\\"password\\\": \\\"s3cr3t\\\"}\"}"}"#,
        ]
    )
    func members(body: String) async throws {
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .json(body) })
        _ = try await recorded.send(HTTPRequest(method: .get, url: try #require(URL(string: "https://a.example/a"))))
        let text = try folder.text
        #expect(!text.contains("s3cr") && text.contains("‹redacted›"), "\(text)")
    }

    @Test("A transformed copy of a credential appears in no exchange of the file")
    func copies() async throws {
        let secret = "S3cret-Tok3n>?/Value~"
        let bytes = Data(secret.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let inner = ["a", "ab", "abc"].map { Data("\($0)\(secret)rest".utf8).base64EncodedString() }
        let copies =
            [hex, hex.uppercased(), secret.uppercased(), secret.lowercased(), PercentEncoding.encode(secret)]
            + [bytes.base64EncodedString()] + inner
        let stub = StubTransport { request in
            let place = copies.indices.first { request.url.path == "/\($0)" }
            return .json(#"{"copy": "\#(place.map { copies[$0] } ?? "")"}"#)
        }
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        for index in copies.indices {
            let url = try #require(URL(string: "https://a.example/\(index)"))
            _ = try await recorded.send(HTTPRequest(method: .get, url: url))
        }
        var request = HTTPRequest(method: .get, url: try #require(URL(string: "https://a.example/b")))
        request.headerFields[.authorization] = "Bearer \(secret)"
        _ = try await recorded.send(request)
        let text = try folder.text
        for copy in copies {
            // The characters at either end also encode text around the secret.
            #expect(!text.contains(copy.dropFirst(4).prefix(20)), "\(copy) in \(text)")
        }
    }

    @Test("A secret number is replaced with a number, so the body stays JSON")
    func numbers() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport { _ in .json(#"{"count": 1234, "text": "1234", "other": -7.5e3, "pin": 1234}"#) }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        var request = HTTPRequest(method: .post, url: try #require(URL(string: "https://a.example/a")))
        request.headerFields[.contentType] = "application/json"
        request.body = HTTPBody(Data(#"{"password": 1234}"#.utf8))
        _ = try await recorded.send(request)
        let body = try await RecordedTransport(folder.file).send(request).body.collect()
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"count": 0, "text": "‹redacted›", "other": -7.5e3, "pin": 0}"#
        )
    }

    @Test("Recorded traffic contains no credential, before or after the request that sends it")
    func traffic() async throws {
        let secret = "k3y-of-the-session"
        let traffic = TrafficRecorder()
        let stub = StubTransport { _ in .json(#"{"plain": "\#(secret)"}"#) }
        let client = Client(try #require(URL(string: "https://a.example")), transport: stub) {
            Use(traffic, around: .eachAttempt)
        }
        _ = try await client.get("a", as: JSONValue.self)
        #expect(traffic.har.contains(secret))
        let signed: Endpoint<JSONValue> = client.endpoint {
            GET("b")
            Authorization(.bearer(secret))
        }
        _ = try await signed.send()
        _ = try await client.get("c", as: JSONValue.self)
        #expect(!traffic.har.contains(secret))
    }
}
