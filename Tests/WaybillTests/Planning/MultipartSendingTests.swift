import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Sending multipart bodies", .inTurn, .safetyNet)
struct MultipartSendingTests {
    private let directory = TemporaryDirectory()

    @Test("A form with a file arrives unchanged and with its length over each transport", arguments: Carrier.allCases)
    func arrives(_ carrier: Carrier) async throws {
        let bytes = Data.sample(count: 1_500_000)
        let file = try directory.file(bytes)
        try await LoopbackServer.run(["POST it": .text("fine")]) { server async throws in
            let endpoint: Endpoint<Data> = Client(server.url, transport: try carrier.transport()).endpoint {
                POST("it")
                Multipart {
                    Multipart.Part("title", "Dawn")
                    Multipart.Part("photo", file: file, fileName: "dawn.jpg", contentType: "image/jpeg")
                    Multipart.Part("end", bytes.prefix(100_000))
                }
            }
            #expect(try await endpoint.send() == Data("fine".utf8))
            let request = try #require(server.requests.first)
            #expect(request.headerFields[.contentLength] == "\(request.body.count)")
            let type = try #require(request.headerFields[.contentType])
            let boundary = try #require(type.split(separator: "=").last)
            #expect(type == "multipart/form-data; boundary=\(boundary)")
            var expected = Data(
                """
                --\(boundary)\r
                Content-Disposition: form-data; name="title"\r
                \r
                Dawn\r
                --\(boundary)\r
                Content-Disposition: form-data; name="photo"; filename="dawn.jpg"\r
                Content-Type: image/jpeg\r
                \r\n
                """.utf8
            )
            expected += bytes
            expected += Data("\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"end\"\r\n\r\n".utf8)
            expected += bytes.prefix(100_000)
            expected += Data("\r\n--\(boundary)--\r\n".utf8)
            #expect(request.body == expected)
        }
    }

    @Test("A form with a stream of unknown length arrives over each transport", arguments: Carrier.allCases)
    func streamed(_ carrier: Carrier) async throws {
        try await LoopbackServer.run(["POST it": .text("fine")]) { server async throws in
            let endpoint: Endpoint<Data> = Client(server.url, transport: try carrier.transport()).endpoint {
                POST("it")
                Multipart { Multipart.Part("log", HTTPBody(Chunks("one ", "two"))) }
            }
            #expect(try await endpoint.send() == Data("fine".utf8))
            let request = try #require(server.requests.first)
            let isChunked = request.headerFields[.transferEncoding] == "chunked"
            #expect(isChunked == !carrier.deviations.contains(.collectsUploads))
            #expect(String(decoding: request.body, as: UTF8.self).contains("\r\n\r\none two\r\n--"))
        }
    }

    @Test("A form with a file is resent with the same boundary after a redirect or for a retry")
    func replayed() async throws {
        let file = try directory.file(Data("12345".utf8))
        let stub = StubTransport([
            "PUT a": .sequence([.status(503), .redirect(to: "b", status: 307), .status(204)])
        ])
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) { Retry() }
        let upload: Endpoint<Void> = client.endpoint {
            PUT("a")
            Multipart { Multipart.Part("a", file: file) }
        }
        try await upload.send()
        #expect(stub.requests.count == 3 && Set(stub.requests.map(\.body)).count == 1)
        #expect(Set(stub.requests.map { $0.headerFields[.contentType] }).count == 1)
        #expect(stub.requests.allSatisfy { $0.text.contains("\r\n\r\n12345\r\n--") })
    }

    @Test("A form with a single-use stream is not resent")
    func notReplayed() async throws {
        let stub = StubTransport(["PUT a": .sequence([.status(503), .status(204)])])
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) { Retry() }
        let upload: Endpoint<Void> = client.endpoint {
            PUT("a")
            Multipart { Multipart.Part("a", HTTPBody(Chunks("one"))) }
        }
        let error = await failure { try await upload.send() }
        #expect(error?.status == 503 && stub.requests.count == 1)
    }

    @Test(
        "A file part whose file is missing, a directory or a pipe is a declaration error, and nothing is sent",
        arguments: [("none", "there is no file "), (".", "is not a regular file"), ("pipe", "is not a regular file")]
    )
    func files(name: String, words: String) async throws {
        _ = try directory.file(Data())
        #expect(mkfifo(directory.url.appendingPathComponent("pipe").path, 0o600) == 0)
        let file = directory.url.appendingPathComponent(name)
        let errors = await declarationErrors(Multipart.Part("photo", file: file))
        #expect(errors.map(\.clause) == ["Multipart.Part"] && errors.map(\.value) == ["\"photo\""])
        let reason = try #require(errors.first?.reason)
        #expect(reason.contains(words) && !reason.contains("\n"))
    }

    @Test(
        "A part that cannot be sent is a declaration error, and nothing is sent",
        arguments: [
            (Multipart.Part("", 1), #"Multipart.Part(""): its name is empty; each part of a form has one"#),
            (Multipart.Part("a\0", 1), #"Multipart.Part("a\0"): its name has a control character; leave it out"#),
            (
                Multipart.Part("a", Data(), fileName: "\u{7F}"),
                #"Multipart.Part("a"): its file name has a control character; leave it out"#
            ),
            (
                Multipart.Part("a", Data(), contentType: "a/b\r\nX-Evil: 1"),
                #"Multipart.Part("a"): its content type cannot be the value of a header field; give one such as image/png"#
            ),
            (
                Multipart.Part("a", 1, contentType: ""),
                #"Multipart.Part("a"): its content type cannot be the value of a header field; give one such as image/png"#
            ),
            (Multipart.Part("a", Double.nan), #"Multipart.Part("a"): its value cannot be written as text"#),
            (
                Multipart.Part(formEncoding: [1]),
                "Multipart.Part: Only an object has names for its values, and an array does not; encode a struct or a dictionary."
            ),
        ]
    )
    func rejected(part: Multipart.Part, text: String) async {
        #expect(await declarationErrors(part).map(\.description) == [text])
    }

    @Test("A form with several invalid parts has one error for each")
    func several() async {
        let errors = await declarationErrors(Multipart.Part("", 1), Multipart.Part("a", 1), Multipart.Part("b\0", 1))
        #expect(errors.map(\.value) == ["\"\"", #""b\0""#])
    }

    @Test("A content type declared beside a form is a declaration error; one from an outer scope is ignored")
    func contentType() async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) { Header(.contentType, "application/json") }
        let inner: Endpoint<Void> = client.endpoint {
            POST("a")
            Header(.contentType, "multipart/form-data")
            Multipart { Multipart.Part("a", 1) }
        }
        guard case .request(let failure)? = await failure({ try await inner.send() }) else {
            Issue.record("expected a declaration error")
            return
        }
        #expect(
            failure.declarationErrors.map(\.description) == [
                #"Header("Content-Type", "multipart/form-data"): the body is written as multipart/form-data with a "#
                    + "boundary of its own; leave the field out"
            ]
        )
        let outer: Endpoint<Void> = client.endpoint {
            POST("a")
            Multipart { Multipart.Part("a", 1) }
        }
        try await outer.send()
        #expect(stub.requests.map { $0.headerFields[.contentType]?.hasPrefix("multipart/form-data; b") } == [true])
    }

    @Test("A secret part that a failed response echoes is redacted from the error's description")
    func secrets() async throws {
        let stub = StubTransport(["POST a": .text("no hunter22 and no 4711abcd here", status: 400)])
        let endpoint: Endpoint<Void> = Client(Shop.url, transport: stub).endpoint {
            POST("a")
            Multipart {
                Multipart.Part("user[password]", "hunter22")
                Multipart.Part("meta", json: ["token": "4711abcd"])
            }
        }
        let text = "\(String(describing: await failure { try await endpoint.send() }))"
        #expect(text.contains("no ‹redacted› and no ‹redacted› here"))
    }

    private func declarationErrors(_ parts: Multipart.Part...) async -> [Scope.DeclarationError] {
        let stub = StubTransport { _ in .status(204) }
        let upload: Endpoint<Void> = Client(Shop.url, transport: stub).endpoint {
            POST("a")
            Multipart(parts)
        }
        let error = await failure { try await upload.send() }
        #expect(stub.requests.isEmpty)
        guard case .request(let failure)? = error else {
            Issue.record("expected a declaration error, not \(String(describing: error))")
            return []
        }
        return failure.declarationErrors
    }
}
