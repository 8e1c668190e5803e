import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Digest authentication")
struct DigestTests {
    @Test(
        "Sums are those of RFC 1321 and FIPS 180-4, whatever the length of the last block",
        arguments: [
            (0, "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (1, "0cc175b9c0f1b6a831c399e269772661", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
            (
                55, "ef1772b6dff9a122358552954ad0df65",
                "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
            ),
            (
                56, "3b0c8ac703f828b04c6c197006d17218",
                "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
            ),
            (
                63, "b06521f39153d618550606be297466d5",
                "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"
            ),
            (
                64, "014842d480b571495a4a0363793f7367",
                "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
            ),
            (
                65, "c743a45e0d2e6a95cb859adae0248435",
                "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"
            ),
            (
                120, "5f61c0ccad4cac44c75ff505e1f1e537",
                "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"
            ),
            (
                1000, "cabe45dcc9ae5b66ba86600cca6b8ba8",
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ]
    )
    func sums(count: Int, md5: String, sha256: String) {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        #expect(MD5.sum(message) == md5)
        #expect(SHA256.sum(message) == sha256)
    }

    struct Row: CustomTestStringConvertible {
        var testDescription: String { algorithm.map { "\($0), \(quality ?? "no qop")" } ?? "no algorithm" }
        let algorithm: String?
        let quality: String?
        let response: String
    }

    @Test(
        "Answers are those of RFC 7616, section 3.9.1",
        arguments: [
            Row(algorithm: "MD5", quality: "auth, auth-int", response: "8ca523f5e9506fed4657c9700eebdbec"),
            Row(algorithm: nil, quality: "auth", response: "8ca523f5e9506fed4657c9700eebdbec"),
            Row(algorithm: "md5-SESS", quality: "AUTH", response: "e783283f46242139c486a698fec7211d"),
            Row(algorithm: "MD5", quality: nil, response: "7b2cc3b30e75b4777ea31027084363fd"),
            Row(
                algorithm: "SHA-256",
                quality: "auth-int,auth",
                response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            Row(
                algorithm: "SHA-256-sess",
                quality: "auth",
                response: "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
            ),
        ]
    )
    func answers(_ row: Row) throws {
        var parameters = [
            "realm": "http-auth@example.org", "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
            "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
        ]
        parameters["algorithm"] = row.algorithm
        parameters["qop"] = row.quality
        let challenge = try #require(DigestChallenge(Challenge(scheme: "digest", parameters: parameters)))
        let answer = DigestAnswer(
            user: "Mufasa",
            password: "Circle of Life",
            method: "GET",
            target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        let value = answer.value(for: challenge, count: 1)
        let fields = Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: value)])
        let field = try #require(fields.first)
        #expect(fields.count == 1)
        #expect(field["response"] == row.response)
        #expect(field["username"] == "Mufasa")
        #expect(field["uri"] == "/dir/index.html")
        #expect(field["opaque"] == parameters["opaque"])
        #expect(field["algorithm"] == row.algorithm)
        #expect(field["nc"] == row.quality.map { _ in "00000001" })
        #expect(field["qop"] == row.quality.map { _ in "auth" })
    }

    @Test(
        "What cannot be answered is not: the 401 is the answer",
        arguments: [
            #"Digest realm="a", nonce="n", algorithm=SHA-512-256"#, #"Digest realm="a", nonce="n", qop="auth-int""#,
            #"Digest realm="a""#, #"Digest nonce="n""#, "Digest", #"Basic realm="a", nonce="n""#,
            #"Digest realm="a", nonce="n"#, "",
        ]
    )
    func unanswerable(challenge: String) async {
        let stub = StubTransport { _ in .status(401).header("WWW-Authenticate", challenge) }
        let error = await failure { () async throws(APIError) in try await client(stub).get("a", as: Int.self) }
        #expect(error?.status == 401)
        #expect(stub.requests.count == 1)
    }

    private func client(_ stub: StubTransport, password: String = "s3cret") -> Client {
        Client(Shop.url, transport: stub, randomness: Randomness { 0xABCD }) {
            Authorization(.digest(user: "b\"o", password: password))
        }
    }

    /// A server that knows one user, and accepts a nonce as often as it is told.
    private actor Doorman {
        private(set) var nonce = 1
        private var uses = 0
        let lifetime: Int

        init(lifetime: Int) { self.lifetime = lifetime }

        func answer(_ request: ReceivedRequest) -> Answer {
            let given = request.headerFields[.authorization].map {
                Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: $0)])
            }?.first
            let target = request.path + (request.query.map { "?\($0)" } ?? "")
            let isKnown = given?["nonce"] == "n\(nonce)" && uses < lifetime
            let secret = MD5.sum(Array("b\"o:shop:s3cret".utf8))
            let sum = MD5.sum(Array("\(request.method):\(target)".utf8))
            let right = MD5.sum(
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

    @Test("A challenge is answered, and the same one again until the server wants another; bodies go along")
    func conversation() async throws {
        let doorman = Doorman(lifetime: 3)
        let stub = StubTransport { await doorman.answer($0) }
        let client = client(stub)
        var values: [Int] = []
        for number in 0..<5 {
            values.append(try await client.post("a", body: number, as: Int.self) { Query("x", number) })
        }
        #expect(values == [1, 2, 3, 1, 2])
        let counts = stub.requests.map { request in
            request.headerFields[.authorization].flatMap { value in
                Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: value)]).first
            }.map { "\($0["nonce"] ?? "") \($0["nc"] ?? "")" } ?? "none"
        }
        #expect(
            counts == [
                "none", "n1 00000001", "n1 00000002", "n1 00000003", "n1 00000004", "n2 00000001", "n2 00000002",
            ]
        )
        #expect(stub.requests.map(\.text) == ["0", "0", "1", "2", "3", "3", "4"])
    }

    @Test("A wrong password is a 401, after two requests and not more")
    func wrong() async throws {
        let doorman = Doorman(lifetime: 3)
        let stub = StubTransport { await doorman.answer($0) }
        for expected in [2, 4] {
            let error = await failure { () async throws(APIError) in
                try await client(stub, password: "wr0ng").get("a", as: Int.self)
            }
            #expect(error?.status == 401)
            #expect(stub.requests.count == expected)
            #expect(error.map { "\($0)" }?.contains("wr0ng") == false)
        }
    }

    @Test("Each redirect within the origin has an answer of its own, and one to another origin none")
    func redirects() async throws {
        let doorman = Doorman(lifetime: 9)
        let stub = StubTransport { request in
            let answer = await doorman.answer(request)
            guard answer.status == 200, request.url.host == "shop.example" else {
                return request.url.host == "shop.example" ? answer : .json("7")
            }
            return .redirect(to: request.url.path == "/v1/a" ? "b" : "https://other.example/c")
        }
        #expect(try await client(stub).get("a", as: Int.self) == 7)
        let paths = stub.requests.map { "\($0.url.path) \($0.headerFields.contains(.authorization))" }
        #expect(paths == ["/v1/a false", "/v1/a true", "/v1/b true", "/c false"])
    }

    @Test("A body that cannot be sent again stays with its 401")
    func stream() async throws {
        let doorman = Doorman(lifetime: 9)
        let stub = StubTransport { await doorman.answer($0) }
        let client = client(stub)
        let upload: Endpoint<Int> = client.endpoint {
            POST("a")
            Body(HTTPBody(AsyncStream { $0.finish() }), contentType: "text/plain")
        }
        let error = await failure { () async throws(APIError) in try await upload.send() }
        #expect(error?.status == 401)
        #expect(try await client.get("a", as: Int.self) == 1)
        // Now a challenge is known.
        #expect(try await upload.send() == 2)
    }

    @Test("Users of any kind are written so that they arrive")
    func users() throws {
        let challenge = try #require(
            DigestChallenge(Challenge(scheme: "Digest", parameters: ["realm": #"a"\b"#, "nonce": "n"]))
        )
        func value(_ user: String) -> String {
            DigestAnswer(user: user, password: "p", method: "GET", target: "/", clientNonce: "c")
                .value(for: challenge, count: 1)
        }
        #expect(value(#"b"o\"#).hasPrefix(#"Digest username="b\"o\\", realm="a\"\\b", nonce="n", uri="/", "#))
        #expect(value("Jäsøn").hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n, "))
        // RFC 2069: without a quality there is neither a count nor a nonce of the client.
        #expect(!value("bo").contains("cnonce") && !value("bo").contains("nc="))
    }

    @Test("A user with a line break is sent by nobody")
    func lineBreak() async {
        let stub = StubTransport { _ in
            .status(401).header("WWW-Authenticate", #"Digest realm="a", nonce="n", qop="auth""#)
        }
        let client = Client(Shop.url, transport: stub) { Authorization(.digest(user: "a\r\nb", password: "p")) }
        let error = await failure { () async throws(APIError) in try await client.get("a", as: Int.self) }
        guard case .authorization? = error else {
            Issue.record("expected an authorization failure, not \(String(describing: error))")
            return
        }
        #expect(stub.requests.count == 1)
    }

    @Test("Over real sockets one connection takes both requests")
    func sockets() async throws {
        let doorman = Doorman(lifetime: 9)
        try await LoopbackServer.run(["PUT a": .answer { await doorman.answer($0) }]) { server in
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
