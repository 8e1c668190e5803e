import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import WaybillTesting
    @testable import WaybillTransfers

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Compressed bodies", .inTurn)
    struct CompressedTests {
        private static let text = String(repeating: "a lamp ", count: 1_000)
        private let url: URL

        init() throws { url = try #require(URL(string: "https://shop.example")) }

        private func post(_ client: Client, _ body: String = text) -> Endpoint<Void> {
            client.endpoint {
                POST("notes")
                Body(Data(body.utf8), contentType: "text/plain")
            }
        }

        private func coding(_ request: ReceivedRequest) -> String? { request.headerFields[.contentEncoding] }

        private func decoded(_ request: ReceivedRequest) throws -> String {
            guard let name = coding(request) else { return String(decoding: request.body, as: UTF8.self) }
            let coding = try #require(ContentCoding(rawValue: name))
            return String(decoding: try ContentDecoder.decode(whole: request.body, codings: [coding]), as: UTF8.self)
        }

        @Test(
            "A body is sent in the declared content coding and decodes to the original bytes",
            arguments: Compressed.Coding.allCases
        )
        func sent(coding: Compressed.Coding) async throws {
            try await LoopbackServer.run(["POST notes": .status(204)]) { server async throws in
                try await post(Client(server.url) { Compressed(coding) }).send()
                let request = try #require(server.requests.first)
                #expect(self.coding(request) == coding.rawValue)
                #expect(request.headerFields[.contentLength] == "\(request.body.count)")
                #expect(request.body.count < 500)
                #expect(try decoded(request) == Self.text)
            }
        }

        @Test(
            "A short, already coded, incompressible, or opted-out body is sent uncompressed",
            arguments: ["short", "coded", "random", "none"]
        )
        func asItIs(kind: String) async throws {
            let stub = StubTransport { _ in .status(204) }
            let client = Client(url, transport: stub) { Compressed(.gzip, minimumBytes: 100) }
            var random = SplitMix64(seed: 3)
            let bytes: Data =
                switch kind {
                case "short": Data("short".utf8)
                case "random": Data((0..<2_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
                default: Data(Self.text.utf8)
                }
            let endpoint: Endpoint<Void> = client.endpoint {
                POST("notes")
                Body(bytes, contentType: "text/plain")
                if kind == "coded" { Header(.contentEncoding, "br") }
                if kind == "none" { Compressed.none }
            }
            try await endpoint.send()
            #expect(stub.requests.map(\.body) == [bytes])
            #expect(stub.requests.map(coding) == [kind == "coded" ? "br" : nil])
        }

        @Test("A declared Content-Length is not sent with a compressed body")
        func declaredLength() async throws {
            try await LoopbackServer.run(["POST notes": .status(204)]) { server async throws in
                let endpoint: Endpoint<Void> = Client(server.url).endpoint {
                    POST("notes")
                    Header("Content-Length", "\(Self.text.utf8.count)")
                    Body(Data(Self.text.utf8), contentType: "text/plain")
                    Compressed(.gzip)
                }
                try await endpoint.send()
                let request = try #require(server.requests.first)
                #expect(request.headerFields[.contentLength] == "\(request.body.count)")
                #expect(try decoded(request) == Self.text)
            }
        }

        @Test("The parts of a resumable upload are not compressed", arguments: TestedProtocol.allCases)
        func resumable(tested: TestedProtocol) async throws {
            let server = try UploadServer(tested.rawValue)
            let bytes = Data(Self.text.utf8)
            let client = Client(server.url) { Compressed(.gzip) }
            try await UploadAPI(client: client).upload(.seekable(bytes), by: Resumable(tested.declared)).send()
            #expect(server.uploads.map(\.bytes) == [bytes])
            #expect(server.exchanges.allSatisfy { $0.fields[.contentEncoding] == nil })
        }

        @Test("An attempt with a changed body sends the changed body")
        func changedBody() async throws {
            let stub = StubTransport(["POST notes": .sequence([.status(503), .status(204)])])
            let client = Client(url, transport: stub, clock: SkippingClock()) {
                Compressed(.gzip)
                Use(Numbering(), around: .eachAttempt)
                Retry(methods: [.post])
            }
            try await post(client).send()
            #expect(try stub.requests.map { try decoded($0).suffix(2) } == ["#1", "#2"])
        }

        @Test("A stream is compressed as it is sent, with an unknown length")
        func stream() async throws {
            try await LoopbackServer.run(["POST notes": .status(204)]) { server async throws in
                let chunks = AsyncStream { continuation in
                    for _ in 0..<100 { continuation.yield(Data("a lamp ".utf8)) }
                    continuation.finish()
                }
                let client = Client(server.url) { Compressed(.zstd, .gzip) }
                let endpoint: Endpoint<Void> = client.endpoint {
                    POST("notes")
                    Body(HTTPBody(chunks), contentType: "text/plain")
                }
                try await endpoint.send()
                let request = try #require(server.requests.first)
                #expect(request.headerFields[.contentLength] == nil)
                #expect(try decoded(request) == String(repeating: "a lamp ", count: 100))
            }
        }

        @Test(
            "After a 415 whose Accept-Encoding lacks the coding, this body and later ones are sent uncompressed",
            arguments: ["identity", "br", "gzip;q=0, identity", "gzip;q=0, *", "*;q=0", ""]
        )
        func rejected(accepted: String) async throws {
            let stub = StubTransport { request in
                request.headerFields[.contentEncoding] == nil
                    ? .status(204) : .status(415).header("Accept-Encoding", accepted)
            }
            let client = Client(url, transport: stub) { Compressed(.gzip) }
            try await post(client).send()
            try await post(client).send()
            #expect(stub.requests.map(coding) == ["gzip", nil, nil])
            #expect(stub.requests.last?.body == Data(Self.text.utf8))
        }

        @Test(
            "A 415 unrelated to the coding fails the call without another attempt",
            arguments: [nil, "gzip", "br, GZIP;q=0.5", "*", "*;q=0, x-gzip"]
        )
        func otherReason(accepted: String?) async throws {
            let stub = StubTransport { _ in
                accepted.map { .status(415).header("Accept-Encoding", $0) } ?? .status(415)
            }
            let client = Client(url, transport: stub) { Compressed(.gzip) }
            let error = await #expect(throws: APIError.self) { try await post(client).send() }
            #expect(error?.status == 415)
            #expect(stub.requests.count == 1)
        }

        @Test("After a 415, a one-time body is not sent again, and later bodies are sent uncompressed")
        func oneTimeStream() async throws {
            let stub = StubTransport { request in
                request.headerFields[.contentEncoding] == nil
                    ? .status(204) : .status(415).header("Accept-Encoding", "identity")
            }
            let client = Client(url, transport: stub) { Compressed(.gzip) }
            let chunks = AsyncStream { continuation in
                continuation.yield(Data("a".utf8))
                continuation.finish()
            }
            let endpoint: Endpoint<Void> = client.endpoint {
                POST("notes")
                Body(HTTPBody(chunks), contentType: "text/plain")
            }
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            #expect(error?.status == 415)
            try await post(client).send()
            #expect(stub.requests.map(coding) == ["gzip", nil])
        }

        @Test("A signer receives the compressed body")
        func signed() async throws {
            let stub = StubTransport { _ in .status(204) }
            let signer = LengthSigner()
            let client = Client(url, transport: stub) {
                Compressed(.gzip)
                Signed(by: signer)
            }
            try await post(client).send()
            let request = try #require(stub.requests.first)
            #expect(request.headerFields[.contentEncoding] == "gzip")
            #expect(request.headerFields[LengthSigner.field] == "\(request.body.count)")
        }

        @Test("A digest of the uncompressed body is an error that names the clause, and nothing is sent")
        func digest() async throws {
            let stub = StubTransport { _ in .status(204) }
            let client = Client(url, transport: stub) { Compressed(.gzip) }
            let endpoint: Endpoint<Void> = client.endpoint {
                POST("notes")
                Body(Data(Self.text.utf8), contentType: "text/plain")
                Header("Content-Digest", "sha-256=:AAAA:")
            }
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            let text = "\(try #require(error))"
            #expect(text.contains("Compressed(gzip)"))
            #expect(text.contains("Content-Digest"))
            #expect(stub.requests.isEmpty)
        }

        @Test(
            "An empty list of codings and a negative byte count are declaration errors",
            arguments: [Compressed(), Compressed(.gzip, minimumBytes: -1)]
        )
        func invalid(clause: Compressed) async throws {
            let stub = StubTransport { _ in .status(204) }
            let client = Client(url, transport: stub) { clause }
            let error = await #expect(throws: APIError.self) { try await post(client).send() }
            #expect("\(try #require(error))".contains("Compressed("))
            #expect(stub.requests.isEmpty)
        }

        @Test("Each attempt and each redirect sends the compressed body")
        func attempts() async throws {
            let stub = StubTransport([
                "POST notes": .sequence([
                    .status(503), .redirect(to: "/api/notes", status: 307), .status(204),
                ])
            ])
            let client = Client(url, transport: stub, clock: SkippingClock()) {
                Compressed(.gzip)
                Retry(methods: [.post])
            }
            try await post(client).send()
            #expect(stub.requests.map(coding) == ["gzip", "gzip", "gzip"])
            for request in stub.requests { #expect(try decoded(request) == Self.text) }
        }
    }

    /// A middleware that appends the attempt's number to the body.
    private struct Numbering: Middleware {
        func handle(_ request: Request, of call: Call, next: @escaping Next) async throws(APIError) -> HTTPResponse {
            var request = request
            let bytes = request.body?.bytes ?? Data()
            request.body = HTTPBody(bytes + Data("#\(call.attempt)".utf8))
            return try await next(request)
        }
    }

    /// A signer that writes the body's length to a header field.
    private struct LengthSigner: Signed.Signer {
        static let field: HTTPField.Name = .from

        func sign(_ request: inout HTTPRequest, body: Data?) {
            request.headerFields[Self.field] = "\(body?.count ?? -1)"
        }
    }
#endif
