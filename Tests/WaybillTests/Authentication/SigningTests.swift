import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

@Suite("Signing")
struct SigningTests {
    /// A signer that records what it sees and numbers its signatures.
    struct Witness: Signed.Signer {
        let seen = Notes<String>()

        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            let fields = request.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
            let text = body.map { String(decoding: $0, as: UTF8.self) } ?? "a stream"
            seen.add("\(request.method) \(request.url.absoluteString) [\(fields)] \(text)")
            request.headerFields.append(contentsOf: HTTPFields([Self.field("s\(seen.all.count)")].compactMap { $0 }))
        }

        static func field(_ value: String) -> HTTPField? {
            HTTPField.Name("X-Signature").flatMap { HTTPField(name: $0, value: value) }
        }
    }

    struct Mark: Middleware {
        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            var request = request
            request.headerFields[.prefer] = "marked"
            return try await next(request)
        }
    }

    @Test("A signer receives the final request: with middleware changes, the credential and the body's bytes")
    func sees() async throws {
        let signer = Witness()
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) {
            Signed(by: signer)
            Use(Mark())
            Header(removing: .accept)
            Authorization(.apiKey("k", query: "key"))
        }
        _ = try await client.post("a", body: ["n": 1], as: Int.self)
        _ = try await client.get("b", as: Int.self) { Authorization(.bearer("t")) }
        let upload: Endpoint<Int> = client.endpoint {
            PUT("c")
            Body(HTTPBody(AsyncStream { $0.finish() }), contentType: "text/plain")
            Authorization.none
        }
        _ = try await upload.send()
        _ = try await client.get("d", as: Int.self) { Signed.none }
        #expect(
            signer.seen.all == [
                #"POST https://shop.example/v1/a?key=k [Content-Type: application/json; Prefer: marked] {"n":1}"#,
                "GET https://shop.example/v1/b [Prefer: marked; Authorization: Bearer t] ",
                "PUT https://shop.example/v1/c [Content-Type: text/plain; Prefer: marked] a stream",
            ]
        )
        #expect(stub.requests.map { $0.headerFields["X-Signature"] } == ["s1", "s2", "s3", nil])
        #expect(stub.requests.first?.url.query == "key=k")
    }

    @Test("Redirects within the origin are signed; redirects to another origin or back from one are not")
    func redirects() async throws {
        let signer = Witness()
        let stub = StubTransport { request in
            switch request.url.path {
            case "/v1/a": .redirect(to: "b")
            case "/v1/b": .redirect(to: "https://other.example/c")
            case "/c": .redirect(to: "https://shop.example/v1/d")
            default: .json("1")
            }
        }
        _ = try await Client(Shop.url, transport: stub) { Signed(by: signer) }.get("a", as: Int.self)
        #expect(stub.requests.map { $0.headerFields["X-Signature"] } == ["s1", "s2", nil, nil])
        #expect(signer.seen.all.count == 2)
    }

    @Test("Each attempt and each digest response is signed")
    func attempts() async throws {
        struct Twice: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let signer = Witness()
        let stub = StubTransport { request in
            request.headerFields.contains(.authorization)
                ? .json("1") : .status(401).header("WWW-Authenticate", #"Digest realm="a", nonce="n", qop="auth""#)
        }
        let client = Client(Shop.url, transport: stub) {
            Signed(by: signer)
            Use(Twice())
            Authorization(.digest(user: "bo", password: "p"))
        }
        _ = try await client.get("a", as: Int.self)
        #expect(stub.requests.map { $0.headerFields["X-Signature"] } == ["s1", "s2", "s3"])
        #expect(signer.seen.all.map { $0.contains("Authorization: Digest") } == [false, true, true])
    }

    /// A signer that writes its signature to fields that no rule redacts.
    private struct Discreet: Signed.Signer {
        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            for name in ["X-Shop-Mac", "X-Shop-Nonce"].compactMap(HTTPField.Name.init) {
                request.headerFields[name] = "S1GNED-field"
            }
            request.headerFields[.date] = "Fri, 02 Jan 2026 03:04:05 GMT"
            request.url.append(queryItems: [URLQueryItem(name: "mac", value: "S1GNED-item")])
        }
    }

    @Test("A signer's secret fields are redacted from events and errors")
    func redacted() async throws {
        let texts = Notes<String>()
        let client = Client(Shop.url, transport: StubTransport { _ in .text("S1GNED-field S1GNED-item", status: 403) })
        {
            Signed(by: Discreet())
            Observe { texts.add("\($0) \($0.url) \($0.headerFields)") }
        }
        let error = await failure { try await client.get("a", as: Int.self) }
        let text = texts.all.joined() + "\(String(describing: error))"
        #expect(!text.contains("S1GNED"), "\(text)")
        #expect(text.contains("Fri, 02 Jan 2026 03:04:05 GMT"))
        #expect(text.contains("mac=‹redacted›"))
    }

    @Test("A page request to another origin is not signed")
    func pages() async throws {
        let signer = Witness()
        let stub = StubTransport { request in
            request.url.host == "cdn.example"
                ? .json(#"{"items":[2]}"#) : .json(#"{"items":[1],"next":"https://cdn.example/x"}"#)
        }
        let endpoint: Endpoint<[Int]> = Client(Shop.url, transport: stub) { Signed(by: signer) }.endpoint {
            GET("items")
            Envelope("items")
            Paginated(.next(at: "next"), otherOrigins: ["https://cdn.example"])
        }
        #expect(try await endpoint.all.collect() == [1, 2])
        #expect(signer.seen.all.count == 1)
    }

    struct Broken: Signed.Signer {
        struct NoKey: Error, Equatable {}

        let location: String?

        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            guard let location, let url = URL(string: location) else { throw NoKey() }
            request.url = url
        }
    }

    @Test("A signer that fails or changes the origin is an authorization failure, and nothing is sent")
    func failures() async throws {
        let stub = StubTransport { _ in .json("1") }
        for signer in [Broken(location: nil), Broken(location: "https://other.example/")] {
            let client = Client(Shop.url, transport: stub) { Signed(by: signer) }
            let error = await failure { try await client.get("a", as: Int.self) }
            guard case .authorization(let failure)? = error else {
                Issue.record("expected an authorization failure, not \(String(describing: error))")
                continue
            }
            #expect((failure.underlying as? Broken.NoKey == Broken.NoKey()) == (signer.location == nil))
        }
        #expect(stub.requests.isEmpty)
        let client = Client(Shop.url, transport: stub) {
            Signed(by: Broken(location: "https://shop.example/v1/b?signed=1"))
        }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(stub.requests.map(\.url.absoluteString) == ["https://shop.example/v1/b?signed=1"])
    }

    @Test("A signature that the server echoes is redacted from errors")
    func texts() async throws {
        struct Signature: Signed.Signer {
            func sign(_ request: inout HTTPRequest, body: Data?) async throws {
                request.headerFields[.authorization] = "HMAC s3cret"
            }
        }
        let stub = StubTransport { .text("bad signature: \($0.headerFields[.authorization] ?? "")", status: 403) }
        let client = Client(Shop.url, transport: stub) { Signed(by: Signature()) }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Signed: Signature"))
    }
}
