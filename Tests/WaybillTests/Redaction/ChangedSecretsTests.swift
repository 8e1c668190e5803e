import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Secrets transformed by a server")
struct ChangedSecretsTests {
    /// A transformation that a server applies to a secret before echoing it.
    enum Change: CaseIterable {
        case hexadecimal, upperHexadecimal, upperCase, lowerCase, percent
        case base64, base64URL, base64Behind1, base64Behind2, base64Behind3

        func text(_ secret: String) -> String {
            let bytes = Data(secret.utf8)
            return switch self {
            case .hexadecimal: bytes.map { String(format: "%02x", $0) }.joined()
            case .upperHexadecimal: bytes.map { String(format: "%02X", $0) }.joined()
            case .upperCase: secret.uppercased()
            case .lowerCase: secret.lowercased()
            case .percent: bytes.map { String(format: "%%%02X", $0) }.joined()
            case .base64: bytes.base64EncodedString()
            case .base64URL:
                bytes.base64EncodedString().replacingOccurrences(of: "/", with: "_")
                    .replacingOccurrences(of: "+", with: "-")
            case .base64Behind1: Data("a\(secret)bcdef".utf8).base64EncodedString()
            case .base64Behind2: Data("ab\(secret)cdef".utf8).base64EncodedString()
            case .base64Behind3: Data("abc\(secret)def".utf8).base64EncodedString()
            }
        }

        /// The part of the transformed text that depends only on the secret.
        func essence(_ secret: String) -> String {
            switch self {
            case .base64Behind1: String(text(secret).dropFirst(2).prefix(secret.utf8.count * 4 / 3 - 2))
            case .base64Behind2: String(text(secret).dropFirst(3).prefix(secret.utf8.count * 4 / 3 - 2))
            case .base64Behind3: String(text(secret).dropFirst(4).prefix(secret.utf8.count * 4 / 3 - 2))
            default: text(secret)
            }
        }
    }

    @Test(
        "A transformed copy of a secret does not appear in errors or logs",
        arguments: Thoroughness.some(Change.allCases, oneIn: 3)
    )
    func texts(change: Change) async throws {
        for secret in ["S3cret-Tok3n>?/Value~", "eight-8?"] {
            let (text, essence) = (change.text(secret), change.essence(secret))
            let responses: [StubResponse] = [
                .text("no \(text) here", status: 500), .json(#"{"detail": "no \#(text)"}"#, status: 403),
                .json(#"{"detail": "no \#(text)"}"#),
            ]
            for response in responses {
                let lines = Lines()
                let stub = StubTransport { _ in response.header("X-Echo", text).header("ETag", "\"\(text)\"") }
                let client = Client(Shop.url, transport: stub) {
                    Authorization(.bearer(secret))
                    Observe(RequestLog(.headers) { lines.add($0) })
                }
                let error = try #require(
                    await failure { try await client.get("a", as: Int.self) }
                )
                var dumped = ""
                dump(error, to: &dumped)
                for shown in ["\(error)", dumped] + lines.all {
                    #expect(!shown.contains(essence), "\(change): \(essence) in \(shown)")
                }
            }
        }
    }

    @Test("A secret in a response's media type is redacted, although media types are lowercased")
    func mediaType() async throws {
        let stub = StubTransport { _ in
            var response = StubResponse(status: 200, body: Data("<a/>".utf8))
            response.headerFields[.contentType] = "text/S3cretToken"
            return response
        }
        let client = Client(Shop.url, transport: stub) { Authorization(.bearer("S3cretToken")) }
        let error = await failure { try await client.get("a", as: [Int].self) }
        let text = "\(error as Any)"
        #expect(!text.lowercased().contains("s3crettoken"), "\(text)")
        #expect(text.contains("text/‹redacted›"))
    }

    @Test(
        "A rejected redirect does not show its authorization code",
        arguments: [
            "https://other.example/callback?code=4uth-c0de-1&state=a", "/callback?a=b&code=4uth-c0de-1",
            "/callback#code=4uth-c0de-1", "ftp://a.example/?code=4uth-c0de-1",
        ]
    )
    func redirects(location: String) async throws {
        let lines = Lines()
        let stub = StubTransport { _ in .status(302).header("Location", location) }
        let client = Client(Shop.url, transport: stub) {
            Redirects(.reject)
            Observe(RequestLog(.headers) { lines.add($0) })
        }
        let error = await failure { try await client.get("a", as: Int.self) }
        for text in ["\(error as Any)"] + lines.all { #expect(!text.contains("4uth-c0de-1"), "\(text)") }
        // Fragments are not shown at all.
        #expect("\(error as Any)".contains("code=‹redacted›") == !location.contains("#"), "\(error as Any)")
    }

    @Test(
        "A secret member is redacted even with an escaped key, in broken JSON and in JSON within a string",
        arguments: [
            #"{"pass\u0077ord": "s3cr3t-v4lue"}"#, #"{"pass\u0077ord": "s3cr3t-v4lue", "a":}"#,
            #"{"a": [,], "pass\u0077ord": "s3cr3t-v4lue"}"#, #"{"pass\u0077ord": "s3cr3t-v4lue"#,
            #"{"detail": "{\"password\": \"s3cr3t-v4lue\"}"}"#, #"{"detail": "{\"password\": \"s3cr3t-v4lue\"}",}"#,
            #"{"detail": "{\"pass\\u0077ord\": \"s3cr3t-v4lue\"}"}"#, #"{"detail": "{\"password\": \"s3cr3t-v4l"#,
            #"{"detail": "{\"a\": \"{\\\"password\\\": \\\"s3cr3t-v4lue\\\"}\"}"}"#,
            #"{"detail": "{\"b\": [], \"n\": {\"pass_word\": [1, \"s3cr3t-v4lue\"]}}"}"#,
            #"{"refresh": "s3cr3t-v4lue.c2lnbmF0dXJl", "access": "s3cr3t-v4lue.c2lnbmF0dXJl"}"#,
            #"a " {"password": "s3cr3t-v4lue"}"#, #"["{\u0022password\u0022: \u0022s3cr3t-v4lue\u0022}"]"#,
        ],
        ["application/json", "application/problem+json", "text/plain", "text/html", ""]
    )
    func members(body: String, type: String) async throws {
        struct Rejection: Decodable, Sendable { let detail: String }
        struct Wanted: Decodable, Sendable { let detail: [Int] }
        for status in [200, 400] {
            for isTyped in [true, false] {
                let lines = Lines()
                let stub = StubTransport { _ in
                    var response = StubResponse(status: .init(code: status), body: Data(body.utf8))
                    if !type.isEmpty { response.headerFields[.contentType] = type }
                    return response
                }
                let client = Client(Shop.url, transport: stub) {
                    Observe(RequestLog(.headers) { lines.add($0) })
                    if isTyped { Problem(Rejection.self) }
                }
                let error = await failure { try await client.get("a", as: Wanted.self) }
                var texts = ["\(error as Any)"] + lines.all
                if case .decoding(let failure)? = error {
                    texts += ["\(failure.underlying)", "\(failure.diagnosis as Any)"]
                }
                for text in texts { #expect(!text.contains("s3cr3t"), "\(status) \(type) \(text)") }
            }
        }
    }

    @Test("A form body with invalid encoding does not crash redaction")
    func oddForm() async throws {
        struct Rejection: Decodable, Sendable { let detail: String }
        let stub = StubTransport { _ in
            var response = StubResponse(status: 400, body: Data("a=%zz&b c=é&token=\u{1}%".utf8))
            response.headerFields[.contentType] = "application/x-www-form-urlencoded"
            return response
        }
        let client = Client(Shop.url, transport: stub)
        let endpoint: Endpoint<Int> = client.endpoint {
            POST("a")
            Body(Data("a=%zz&b c=é&token=\u{1}%".utf8), contentType: "application/x-www-form-urlencoded")
        }
        let error = await failure { try await endpoint.send() }
        #expect("\(error as Any)".contains("400"))
    }

    @Test("Redirect chains do not multiply the forms of a secret")
    func forms() {
        var names = SecretNameSet.usual.hiding(["S3cret-Tok3n>?/Value~"])
        let count = names.pathValues.count
        for _ in 1...20 { names = names.hiding(Array(names.values)) }
        #expect(names.pathValues.count == count)
        #expect(count < 20)
    }

    @Test("Dumps of responses and events do not show the authorization code of the redirect that led to them")
    func codeInDumps() async throws {
        struct Keeper: CallObserver {
            let texts = Locked<[String]>([])
            func observe(_ event: CallEvent) {
                var text = ""
                dump(event, to: &text)
                texts.withLock { $0.append(text) }
            }
        }
        // A transport that follows redirects internally.
        struct Following: Transport {
            let url: URL?
            func send(_: HTTPRequest, options _: TransferOptions) async throws(TransportError) -> HTTPResponse {
                HTTPResponse(status: 200, body: HTTPBody(Data("1".utf8)), url: url)
            }
        }
        let url = URL(string: "https://shop.example/callback?code=4uth-c0de-1&state=a")
        let keeper = Keeper()
        let client = Client(Shop.url, transport: Following(url: url)) { Observe(keeper) }
        let endpoint: Endpoint<Int> = client.endpoint { GET("start") }
        var texts = ""
        dump(try await endpoint.response(), to: &texts)
        dump(HTTPResponse(status: 200, url: url), to: &texts)
        texts += keeper.texts.withLock { $0.joined() }
        #expect(texts.contains("code=‹redacted›&state=a"))
        #expect(!texts.contains("4uth-c0de-1"), "\(texts)")
    }
}
