import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

@Suite("URLSessionTransport: responses", .inTurn, .safetyNet)
struct URLSessionResponseTests {
    private let transport = URLSessionTransport()

    private func get(_ server: LoopbackServer, _ path: String = "it") async throws -> HTTPResponse {
        try await transport.send(HTTPRequest(method: .get, url: server.url.appending(path: path)))
    }

    @Test("URLSessionTransport delivers the status, fields, body and URL")
    func delivers() async throws {
        try await LoopbackServer.run([
            "GET it": .json("{}", status: 201).header("X-B", "2").header("X-Empty", "").header("X-A", "1")
        ]) { server async throws in
            let response = try await get(server)
            #expect(response.status == 201)
            #expect(
                response.headerFields.map(\.description) == [
                    "Content-Length: 2", "Content-Type: application/json", "X-A: 1", "X-B: 2", "X-Empty: ",
                ]
            )
            #expect(response.url == server.url.appending(path: "it"))
            #expect(response.body.length == 2)
            #expect(try await response.body.collect() == Data("{}".utf8))
        }
    }

    @Test("URLSessionTransport joins repeated fields with a comma")
    func joinsFields() async throws {
        try await LoopbackServer.run(["GET it": .text("x").header("X-A", "1").header("X-A", "2")]) {
            server async throws in
            #expect(
                try await get(server).headerFields.filter { $0.name.canonicalName == "x-a" }.map(\.value) == ["1, 2"]
            )
        }
    }

    @Test(
        "URLSessionTransport delivers bodies with any framing",
        arguments: [
            .text("a body"), .text("a body").chunked(bytes: 2), .text("a body").closing(),
            .raw("HTTP/1.1 200 OK\r\n\r\na body"), .raw("HTTP/1.0 200 OK\r\n\r\na body"),
            .text("a body").dripped(bytes: 1, every: .milliseconds(1)),
            .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na body"),
            .raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na body"),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Length: 6\r\n\r\na body"),
        ] as [StubResponse]
    )
    func readsFramings(_ stubbed: StubResponse) async throws {
        try await LoopbackServer.run(["GET it": .response(stubbed)]) { server async throws in
            let response = try await get(server)
            #expect(response.status == 200)
            #expect(try await response.body.collect() == Data("a body".utf8))
        }
    }

    @Test(
        "URLSessionTransport delivers an empty body for a response without one",
        arguments: [.status(200), .status(204), .status(304).header("Content-Length", "5"), .text("").chunked()]
            as [StubResponse]
    )
    func readsEmptyBodies(_ stubbed: StubResponse) async throws {
        try await LoopbackServer.run(["GET it": .response(stubbed)]) { server async throws in
            let response = try await get(server)
            #expect(response.status == stubbed.status)
            #expect(try await response.body.collect().isEmpty)
        }
    }

    @Test("URLSessionTransport keeps the Content-Length of a HEAD response, with an empty body")
    func respondsToHead() async throws {
        try await LoopbackServer.run(["GET it": .text("a body")]) { server async throws in
            let url = server.url.appending(path: "it")
            let response = try await transport.send(HTTPRequest(method: .head, url: url))
            #expect(response.headerFields[.contentLength] == "6")
            #expect(response.body.length == 0)
            #expect(try await response.body.collect().isEmpty)
        }
    }

    @Test(
        "URLSessionTransport returns a redirect and its body without following it",
        arguments: [300, 301, 302, 303, 307, 308],
        ["other", "http://127.0.0.1:1/"]
    )
    func returnsRedirects(_ code: Int, location: String) async throws {
        try await LoopbackServer.run([
            "POST it": .text("moved", status: .init(code: code)).header("Location", location)
        ]) { server async throws in
            for _ in 1...2 {
                let response = try await transport.send(
                    HTTPRequest(method: .post, url: server.url.appending(path: "it"), body: HTTPBody(Data("x".utf8)))
                )
                #expect(response.status.code == code)
                #expect(response.headerFields[.location] == location)
                #expect(try await response.body.collect() == Data("moved".utf8))
                #expect(response.url == server.url.appending(path: "it"))
            }
            #expect(server.requestCount == 2)
        }
    }

    @Test("URLSessionTransport returns a redirect without a Location")
    func returnsRedirectWithoutLocation() async throws {
        try await LoopbackServer.run(["GET it": .status(308)]) { server async throws in
            let response = try await get(server)
            #expect(response.status == 308)
            #expect(try await response.body.collect().isEmpty)
        }
    }

    @Test(
        "URLSessionTransport returns an authentication challenge, and the next request succeeds",
        arguments: [nil, "Basic realm=\"x\"", "Basic", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "Negotiate"]
            as [String?],
        [401, 407]
    )
    func returnsChallenges(_ challenge: String?, code: Int) async throws {
        var stubbed = StubResponse.text("who are you?", status: .init(code: code))
        if let challenge {
            stubbed = stubbed.header(code == 401 ? "WWW-Authenticate" : "Proxy-Authenticate", challenge)
        }
        try await LoopbackServer.run(["GET it": .response(stubbed), "GET other": .text("fine")]) {
            server async throws in
            for _ in 1...2 {
                let response = try await get(server)
                #expect(response.status.code == code)
                #expect(try await response.body.collect() == Data("who are you?".utf8))
            }
            #expect(try await get(server, "other").body.collect() == Data("fine".utf8))
            #expect(server.requestCount == 3)
        }
    }

    @Test("URLSessionTransport stores no cookies")
    func keepsNoCookies() async throws {
        try await LoopbackServer.run(["GET it": .text("x").header("Set-Cookie", "a=1; Path=/")]) {
            server async throws in
            for _ in 1...2 {
                let response = try await get(server)
                #expect(response.headerFields[.setCookie] == "a=1; Path=/")
                _ = try await response.body.collect()
            }
            #expect(server.requests.map { $0.headerFields[.cookie] } == [nil, nil])
        }
    }

    @Test("URLSessionTransport separates Set-Cookie fields joined by URLSession")
    func separatesCookies() async throws {
        let values = [
            "a=1; Expires=Wed, 24 Nov 2027 15:59:59 GMT; Path=/", "b=x,y; Path=/", "c=", "__Host-d=1; Secure; Path=/",
            "e=1; Expires=Thursday, 25-Nov-27 15:59:59 GMT",
        ]
        let fields = HTTPFields(values.map { HTTPField(name: .setCookie, value: $0) })
        try await LoopbackServer.run(["GET it": .text("x", headers: fields)]) { server async throws in
            #expect(try await get(server).headerFields[values: .setCookie] == values)
        }
    }

    @Test("URLSessionTransport caches no responses")
    func keepsNoResponses() async throws {
        try await LoopbackServer.run([
            "GET it": .sequence([.text("1").header("Cache-Control", "max-age=1000"), .text("2")])
        ]) { server async throws in
            #expect(try await get(server).body.collect() == Data("1".utf8))
            #expect(try await get(server).body.collect() == Data("2".utf8))
        }
    }

    @Test("URLSessionTransport removes the fields that describe a coding decoded by URLSession")
    func describesDecodedBodies() async throws {
        // "a body" in gzip.
        let compressed = Data(base64Encoded: "H4sIAAAAAAACA0tUSMpPqQQA9oZHSQYAAAA=") ?? Data()
        try await LoopbackServer.run([
            "GET it": .bytes(compressed).header("Content-Encoding", "gzip")
        ]) { server async throws in
            let response = try await get(server)
            #expect(try await response.body.collect() == Data("a body".utf8))
            #expect(response.headerFields[.contentEncoding] == nil)
            #expect(response.headerFields[.contentLength] == nil)
            #if os(Linux)
                #expect(server.requests.first?.headerFields[.acceptEncoding] == "identity")
            #endif
        }
    }

    @Test("URLSessionTransport reuses a connection")
    func reusesConnections() async throws {
        try await LoopbackServer.run(["GET it": .text("x")]) { server async throws in
            for _ in 1...10 { _ = try await get(server).body.collect() }
            #expect(server.acceptedConnections == 1)
        }
    }
}
