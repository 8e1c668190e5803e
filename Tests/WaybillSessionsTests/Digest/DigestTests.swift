import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillFiles
import WaybillSessions
import WaybillTesting

@Suite("Digest authentication", .inTurn, .safetyNet)
struct DigestTests {
    @Test(
        "An unsupported digest challenge gets no response, and the call fails with the 401",
        arguments: [
            #"Digest realm="a", nonce="n", algorithm=SHA-512-256"#, #"Digest realm="a", nonce="n", qop="auth-int""#,
            #"Digest realm="a""#, #"Digest nonce="n""#, "Digest", #"Basic realm="a", nonce="n""#,
            #"Digest realm="a", nonce="n"#, "",
        ]
    )
    func unusableChallenges(challenge: String) async {
        let stub = StubTransport { _ in .status(401).header("WWW-Authenticate", challenge) }
        let error = await failure { try await client(stub).get("a", as: Int.self) }
        #expect(error?.status == 401)
        #expect(stub.requests.count == 1)
    }

    private func client(_ stub: StubTransport, password: String = "s3cret") -> Client {
        Client(Shop.url, transport: stub, randomNumberGenerator: StubGenerator { 0xABCD }) {
            Authorization(.digest(user: "b\"o", password: password))
        }
    }

    /// A server that knows one user, and accepts a nonce a fixed number of times.
    private actor Doorman {
        private(set) var nonce = 1
        private var uses = 0
        let lifetime: Int

        init(lifetime: Int) { self.lifetime = lifetime }

        func response(to request: ReceivedRequest) -> StubResponse {
            let given = request.headerFields[.authorization].map {
                HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: $0)])
            }?.first
            let target = request.path + (request.query.map { "?\($0)" } ?? "")
            let isKnown = given?["nonce"] == "n\(nonce)" && uses < lifetime
            let secret = MD5.hexadecimal(Array("b\"o:shop:s3cret".utf8))
            let sum = MD5.hexadecimal(Array("\(request.method):\(target)".utf8))
            let right = MD5.hexadecimal(
                Array("\(secret):n\(nonce):\(given?["nc"] ?? ""):\(given?["cnonce"] ?? ""):auth:\(sum)".utf8)
            )
            guard isKnown, given?["uri"] == target, given?["response"] == right else {
                if uses >= lifetime { (nonce, uses) = (nonce + 1, 0) }
                return .status(401).header("WWW-Authenticate", #"Digest realm="shop", nonce="n\#(nonce)", qop="auth""#)
            }
            uses += 1
            return .json("\(uses)")
        }
    }

    @Test("A digest challenge is used for later requests with bodies until the server sends another one")
    func conversation() async throws {
        let doorman = Doorman(lifetime: 3)
        let stub = StubTransport { await doorman.response(to: $0) }
        let client = client(stub)
        var values: [Int] = []
        for number in 0..<5 {
            values.append(try await client.post("a", body: number, as: Int.self) { Query("x", number) })
        }
        #expect(values == [1, 2, 3, 1, 2])
        let counts = stub.requests.map { request in
            request.headerFields[.authorization].flatMap { value in
                HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: value)]).first
            }.map { "\($0["nonce"] ?? "") \($0["nc"] ?? "")" } ?? "none"
        }
        #expect(
            counts == [
                "none", "n1 00000001", "n1 00000002", "n1 00000003", "n1 00000004", "n2 00000001", "n2 00000002",
            ]
        )
        #expect(stub.requests.map(\.text) == ["0", "0", "1", "2", "3", "3", "4"])
    }

    @Test("A wrong digest password leads to a 401 after two requests")
    func wrong() async throws {
        let doorman = Doorman(lifetime: 3)
        let stub = StubTransport { await doorman.response(to: $0) }
        for expected in [2, 4] {
            let error = await failure {
                try await client(stub, password: "wr0ng").get("a", as: Int.self)
            }
            #expect(error?.status == 401)
            #expect(stub.requests.count == expected)
            #expect(error.map { "\($0)" }?.contains("wr0ng") == false)
        }
    }

    @Test("A redirect within the origin gets a new digest response, and one to another origin gets none")
    func redirects() async throws {
        let doorman = Doorman(lifetime: 9)
        let stub = StubTransport { request in
            let response = await doorman.response(to: request)
            guard response.status == 200, request.url.host == "shop.example" else {
                return request.url.host == "shop.example" ? response : .json("7")
            }
            return .redirect(to: request.url.path == "/v1/a" ? "b" : "https://other.example/c")
        }
        #expect(try await client(stub).get("a", as: Int.self) == 7)
        let paths = stub.requests.map { "\($0.url.path) \($0.headerFields.contains(.authorization))" }
        #expect(paths == ["/v1/a false", "/v1/a true", "/v1/b true", "/c false"])
    }

    @Test("A digest user with a line break is not sent")
    func lineBreak() async {
        let stub = StubTransport { _ in
            .status(401).header("WWW-Authenticate", #"Digest realm="a", nonce="n", qop="auth""#)
        }
        let client = Client(Shop.url, transport: stub) { Authorization(.digest(user: "a\r\nb", password: "p")) }
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .request? = error else {
            Issue.record("expected a request that cannot be built, not \(String(describing: error))")
            return
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("Both requests of digest authentication use one connection")
    func sockets() async throws {
        let doorman = Doorman(lifetime: 9)
        try await LoopbackServer.run(["PUT a": .response { await doorman.response(to: $0) }]) { server in
            let client = Client(server.url) { Authorization(.digest(user: "b\"o", password: "s3cret")) }
            let upload: Endpoint<Int> = client.endpoint {
                PUT("a")
                Body(Data(repeating: 7, count: 200_000), contentType: "application/octet-stream")
            }
            let values = [try await upload.send(), try await upload.send()]
            #expect(values == [1, 2])
            #expect(server.requests.map(\.body.count) == [200_000, 200_000, 200_000])
            #expect(server.acceptedConnections == 1)
        }
    }
}
