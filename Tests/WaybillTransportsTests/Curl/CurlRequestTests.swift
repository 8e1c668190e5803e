#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import WaybillTesting

    @testable import Waybill
    @testable import WaybillURLSession
    @testable import WaybillCurl

    @Suite("CurlTransport: requests", .inTurn)
    struct CurlRequestTests {
        struct Row: CustomTestStringConvertible {
            let testDescription: String
            var method = HTTPRequest.Method.get
            var url = "http://127.0.0.1:1/it"
            var fields: HTTPFields = []
            var body: HTTPBody?
            /// A text that the error message must contain.
            let cause: String

            init(
                _ testDescription: String,
                _ method: HTTPRequest.Method = .get,
                _ url: String = "http://127.0.0.1:1/it",
                fields: HTTPFields = [],
                body: HTTPBody? = nil,
                cause: String
            ) {
                self.testDescription = testDescription
                (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
                self.cause = cause
            }
        }

        private static let stream = AsyncStream<Data> { $0.finish() }

        @Test(
            "CurlTransport rejects an invalid or contradictory request with a reason that shows no secrets",
            arguments: [
                Row("a scheme", .get, "ftp://127.0.0.1:1/it", cause: "\"ftp\"; it must be http, https or http+unix"),
                Row("a file", .get, "file:///etc/passwd", cause: "no host"),
                Row("no scheme", .get, "127.0.0.1/it", cause: "no scheme or no host"),
                Row("no host", .get, "http:///it", cause: "no host"),
                Row("a port alone", .get, "http://:80/it", cause: "no host"),
                Row(
                    "a password",
                    .get,
                    "http://user:s3cret@127.0.0.1:1/it",
                    cause: "127.0.0.1:1 has a user or a password"
                ),
                Row("a user", .get, "https://s3cret@127.0.0.1:1/it", cause: "send an Authorization field instead"),
                Row("a socket without a path", .get, "http+unix://socket/it", cause: "as %2F, not socket"),
                Row("CONNECT", .connect, cause: "only the transport itself can send CONNECT"),
                Row("a body of HEAD", .head, body: HTTPBody(Data("fine".utf8)), cause: "HEAD cannot have a body"),
                Row("a stream of HEAD", .head, body: HTTPBody(stream), cause: "HEAD cannot have a body"),
                Row(
                    "framing",
                    .post,
                    fields: [HTTPField(name: .transferEncoding, value: "chunked")],
                    cause: "the transport sets Transfer-Encoding"
                ),
                Row(
                    "another length",
                    .post,
                    fields: [HTTPField(name: .contentLength, value: "5")],
                    body: HTTPBody(Data("fine".utf8)),
                    cause: "Content-Length is 5, but the body is 4 bytes"
                ),
                Row(
                    "a length of nothing",
                    fields: [HTTPField(name: .contentLength, value: "4")],
                    cause: "Content-Length is 4"
                ),
                Row(
                    "an invalid length",
                    .post,
                    fields: [HTTPField(name: .contentLength, value: "all")],
                    cause: "Content-Length is all"
                ),
                Row(
                    "a length of a stream that has none",
                    .put,
                    fields: [HTTPField(name: .contentLength, value: "4")],
                    body: HTTPBody(stream),
                    cause: "Content-Length is 4"
                ),
                Row(
                    "two hosts",
                    fields: [HTTPField(name: .host, value: "a"), HTTPField(name: .host, value: "b")],
                    cause: "Host occurs more than once"
                ),
            ]
        )
        func rejects(_ row: Row) async throws {
            let transport = try CurlTransport(.with { _ in })
            let url = try #require(URL(string: row.url))
            let request = HTTPRequest(method: row.method, url: url, headerFields: row.fields, body: row.body)
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.kind == .unsupportedRequest, "\(String(describing: error))")
            #expect(error?.message.contains(row.cause) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("s3cret") == false)
        }

        struct Head: CustomTestStringConvertible {
            let testDescription: String
            var method = HTTPRequest.Method.get
            var fields: HTTPFields = []
            /// The expected field lines, without `User-Agent` and `Host`.
            let lines: [String]
        }

        @Test(
            "CurlTransport keeps the order of fields, and offers codings only for complete responses",
            arguments: [
                Head(
                    testDescription: "nothing",
                    lines: ["Accept-Encoding: \(ContentCoding.acceptEncoding ?? "identity")"]
                ),
                Head(
                    testDescription: "an order, and a field without a value",
                    fields: HTTPFields(
                        [("B", "1"), ("X-Empty", ""), ("a", "2"), ("b", "3"), ("Accept-Encoding", "gzip")]
                            .compactMap { name, value in
                                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
                            }
                    ),
                    lines: ["B: 1", "X-Empty: ", "a: 2", "b: 3", "Accept-Encoding: gzip"]
                ),
                Head(
                    testDescription: "a part, which could not be decoded",
                    fields: [HTTPField(name: .range, value: "bytes=10-")],
                    lines: ["Range: bytes=10-", "Accept-Encoding: identity"]
                ),
                Head(
                    testDescription: "a part in a coding that the caller wants",
                    fields: [
                        HTTPField(name: .range, value: "bytes=10-"), HTTPField(name: .acceptEncoding, value: "gzip"),
                    ],
                    lines: ["Range: bytes=10-", "Accept-Encoding: gzip"]
                ),
                Head(
                    testDescription: "a length that is right",
                    method: .post,
                    fields: [HTTPField(name: .contentLength, value: "0")],
                    lines: ["Accept-Encoding: \(ContentCoding.acceptEncoding ?? "identity")", "Content-Length: 0"]
                ),
            ]
        )
        func sends(_ head: Head) async throws {
            let transport = try CurlTransport(.with { _ in })
            try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
                let url = server.url.appending(path: "it")
                let request = HTTPRequest(method: head.method, url: url, headerFields: head.fields)
                #expect(try await transport.send(request).status == 200)
                let received = try #require(server.requests.first).headerFields
                let lines = received.map { "\($0.name.rawName): \($0.value)" }
                #expect(lines.filter { !$0.hasPrefix("Host:") && !$0.hasPrefix("User-Agent:") } == head.lines)
            }
        }
    }
#endif
