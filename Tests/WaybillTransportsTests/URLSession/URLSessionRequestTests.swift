import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

@Suite("URLSessionTransport: requests", .inTurn, .safetyNet)
struct URLSessionRequestTests {
    private static let everything = StubResponses().otherwise(.text("response"))

    @Test(
        "URLSessionTransport sends the method, the target and the body",
        arguments: [
            ("GET", nil), ("GET", ""), ("HEAD", nil), ("DELETE", nil), ("DELETE", "body"), ("OPTIONS", nil),
            ("POST", nil), ("POST", ""), ("POST", "body"), ("PUT", "body"), ("PATCH", "body"), ("PURGE", nil),
            ("PROPFIND", "body"),
        ] as [(String, String?)]
    )
    func sends(method: String, body: String?) async throws {
        try await LoopbackServer.run(Self.everything) { server async throws in
            let response = try await URLSessionTransport().send(
                HTTPRequest(
                    method: try #require(HTTPRequest.Method(method)),
                    url: server.url.appending(path: "a/b").appending(queryItems: [URLQueryItem(name: "q", value: "a b")]
                    ),
                    body: body.map { HTTPBody(Data($0.utf8)) }
                )
            )
            #expect(response.status == 200)
            #expect(try await response.body.collect() == Data((method == "HEAD" ? "" : "response").utf8))
            let request = try #require(server.requests.first)
            #expect(request.wire?.requestLine == "\(method) /a/b?q=a%20b HTTP/1.1")
            #expect(request.text == body ?? "")
            #expect(
                request.headerFields[.contentLength]
                    == (["GET", "HEAD"].contains(method) ? nil : "\(body?.utf8.count ?? 0)")
            )
        }
    }

    @Test("URLSessionTransport sends header fields unchanged, and joins repeated ones")
    func sendsFields() async throws {
        try await LoopbackServer.run(Self.everything) { server async throws in
            try await send(
                .get,
                server.url,
                [
                    field("X-One", "1"), field("X-List", "a"), field("X-Empty", ""), field("X-List", "b, c"),
                    field("Cookie", "a=1"), field("cookie", "b=2"), field("Accept", "text/x"),
                    field("Authorization", "Bearer t"), field("User-Agent", "test"), field("X-Unicode", "é"),
                ]
            )
            let fields = try #require(server.requests.first).headerFields
            let names = ["X-One", "X-List", "X-Empty", "Cookie", "Accept", "Authorization", "User-Agent", "X-Unicode"]
            let values = names.map { name in HTTPField.Name(name).flatMap { fields[$0] } }
            #expect(values == ["1", "a, b, c", "", "a=1; b=2", "text/x", "Bearer t", "test", "é"])
        }
    }

    @Test("URLSessionTransport sends a body without a media type as application/octet-stream")
    func namesUntypedBodies() async throws {
        try await LoopbackServer.run(Self.everything) { server async throws in
            try await send(.post, server.url, body: HTTPBody(Data("a=b".utf8)))
            try await send(.post, server.url, [field("Content-Type", "text/x")], body: HTTPBody(Data("a=b".utf8)))
            try await send(.post, server.url)
            #expect(
                server.requests.map { $0.headerFields[.contentType] } == ["application/octet-stream", "text/x", nil]
            )
        }
    }

    @Test("URLSessionTransport sends a correct Content-Length once")
    func takesContentLength() async throws {
        try await LoopbackServer.run(Self.everything) { server async throws in
            try await send(.post, server.url, [field("Content-Length", "3")], body: HTTPBody(Data("abc".utf8)))
            #expect(server.requests.first?.headerFields[values: .contentLength] == ["3"])
        }
    }

    @Test("URLSessionTransport accepts an uppercase scheme")
    func lowercasesScheme() async throws {
        try await LoopbackServer.run(Self.everything) { server async throws in
            let text = server.url.absoluteString.replacingOccurrences(of: "http", with: "HTTP") + "/a?q=%2F"
            try await send(.get, try #require(URL(string: text)))
            #expect(server.requests.first?.wire?.requestLine == "GET /a?q=%2F HTTP/1.1")
        }
    }

    @Test(
        "URLSessionTransport rejects a request that it cannot send unchanged, and sends nothing",
        arguments: [
            .init("a body with GET", body: "x"),
            .init("a body with HEAD", method: .head, body: "x"),
            .init("CONNECT", method: .connect),
            .init("a method that URLSession changes", method: HTTPRequest.Method("post") ?? .post),
            .init("another scheme", url: { "ftp://\($0)/" }),
            .init("a file", url: { _ in "file:///etc/hostname" }),
            .init("no scheme", url: { _ in "/products" }),
            .init("no host", url: { _ in "http:///products" }),
            .init("a password in the URL", url: { "http://user:secret@\($0)/" }),
            .init("a wrong Content-Length", method: .post, fields: [field("Content-Length", "4")], body: "x"),
            .init("an invalid Content-Length", method: .post, fields: [field("Content-Length", "x")], body: "x"),
            .init("a Transfer-Encoding", method: .post, fields: [field("Transfer-Encoding", "chunked")], body: "x"),
            .init(
                "two of a field that is not a list",
                fields: [field("Authorization", "a"), field("authorization", "b")]
            ),
            .init("a body that is shorter than it says", method: .put, body: "x", bodyLength: 2),
        ] as [Rejection]
    )
    func rejects(_ rejection: Rejection) async throws {
        try await LoopbackServer.run(Self.everything) { server async throws in
            let text = rejection.url(server.url.absoluteString.replacingOccurrences(of: "http://", with: ""))
            var body = rejection.body.map { HTTPBody(Data($0.utf8)) }
            if let length = rejection.bodyLength, let bytes = body?.bytes {
                body = HTTPBody(
                    AsyncStream {
                        $0.yield(bytes); $0.finish()
                    },
                    length: length
                )
            }
            let request = HTTPRequest(
                method: rejection.method,
                url: try #require(URL(string: text)),
                headerFields: HTTPFields(rejection.fields.compactMap { $0 }),
                body: body
            )
            let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(request) }
            #expect(error?.kind == .unsupportedRequest)
            #expect(error?.message.isEmpty == false)
            #expect(error?.message.contains("secret") == false)
            #expect(server.acceptedConnections == 0)
        }
    }

    struct Rejection: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.get
        var url: @Sendable (String) -> String = { "http://\($0)/" }
        var fields: [HTTPField?] = []
        var body: String?
        var bodyLength: Int?

        init(
            _ description: String,
            method: HTTPRequest.Method = .get,
            url: @escaping @Sendable (String) -> String = { "http://\($0)/" },
            fields: [HTTPField?] = [],
            body: String? = nil,
            bodyLength: Int? = nil
        ) {
            testDescription = description
            self.method = method
            self.url = url
            self.fields = fields
            self.body = body
            self.bodyLength = bodyLength
        }
    }
}

/// Returns a field; a name that is not a token is replaced by `Accept`.
private func field(_ name: String, _ value: String) -> HTTPField {
    HTTPField(name: HTTPField.Name(name) ?? .accept, value: value)
}

/// Sends a request over a new transport, and returns the complete response body.
@discardableResult
private func send(
    _ method: HTTPRequest.Method,
    _ url: URL,
    _ fields: HTTPFields = [],
    body: HTTPBody? = nil
) async throws -> Data {
    let request = HTTPRequest(method: method, url: url, headerFields: fields, body: body)
    return try await URLSessionTransport().send(request).body.collect()
}
