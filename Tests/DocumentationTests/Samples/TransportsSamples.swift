import Foundation
import Testing
import Waybill
import WaybillTesting

// Beside the module's own, to show what it asks for; a conformance of a type to both proves that they are the same.
private enum Page {
    protocol Transport: Sendable {
        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
    }
}

extension StubTransport: Page.Transport {}

struct AsyncHTTPClientTransport: Transport {
    let client: HTTPClient
    var timeout: TimeAmount = .seconds(60)

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var outgoing = HTTPClientRequest(url: request.url.value.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if let bytes = request.body?.bytes {
            outgoing.body = .bytes(bytes)
        } else if let body = request.body {
            let length = body.length.map { HTTPClientRequest.Body.Length.known(Int64($0)) }
            outgoing.body = .stream(body.map { ByteBuffer(bytes: $0) }, length: length ?? .unknown)
        }
        do {
            let response = try await client.execute(outgoing, timeout: timeout)
            return HTTPResponse(
                status: .init(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase),
                headerFields: HTTPFields(response.headers.compactMap(Self.field)),
                body: HTTPBody(Chunks(buffers: response.body))
            )
        } catch {
            throw Self.transportError(error)
        }
    }

    /// The response's body, chunk by chunk.
    private struct Chunks: AsyncSequence, Sendable {
        let buffers: HTTPClientResponse.Body

        struct Iterator: AsyncIteratorProtocol {
            var buffers: HTTPClientResponse.Body.AsyncIterator

            mutating func next() async throws -> Data? {
                do {
                    return try await buffers.next().map { Data($0.readableBytesView) }
                } catch {
                    throw transportError(error)
                }
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(buffers: buffers.makeAsyncIterator()) }
    }

    private static func field(_ name: String, _ value: String) -> HTTPField? {
        HTTPField.Name(name).flatMap { HTTPField(name: $0, value: value) }
    }

    private static func transportError(_ error: any Error) -> TransportError {
        let kind: TransportError.Kind? =
            switch error {
            case let error as HTTPClientError: kind(of: error)
            case HTTPParserError.invalidEOFState: .connectionLost
            case is HTTPParserError: .invalidResponse
            case let error as NIOConnectionError: error.dnsAError == nil ? .cannotConnect : .cannotResolveHost
            case let error as IOError: error.errnoCode == ECONNREFUSED ? .cannotConnect : .connectionLost
            default: nil
            }
        return kind.map { TransportError($0, "\(error)", underlying: error) } ?? TransportError(wrapping: error)
    }

    private static func kind(of error: HTTPClientError) -> TransportError.Kind {
        switch error {
        case .cancelled: .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut
        case .connectTimeout: .cannotConnect
        case .remoteConnectionClosed: .connectionLost
        default: .other
        }
    }
}

@Suite("Transports.md")
struct TransportsSamples {
    private let url = Sample.url

    @Test("URLSession of a client's own")
    func urlSession() throws {
        let client = Client(url, transport: .urlSession(idleTimeout: .seconds(20)))

        #expect(client.url == url)
    }

    #if os(Linux)
        @Test("libcurl with settings of its own")
        func curl() throws {
            func client(_ url: URL) throws -> Client {
                var configuration = CurlTransport.Configuration()
                configuration.timeouts.connect = .seconds(3)
                configuration.timeouts.firstByte = .seconds(20)
                configuration.limits.bodyBytes = 10_000_000
                configuration.connections.perOrigin = 32
                configuration.tls.trust = .authorities(.file("/etc/shop/authority.pem"))
                let client = Client(url, transport: try .curl(configuration))
                return client
            }

            // There is no such file.
            let error = #expect(throws: TransportError.self) { try client(url) }
            #expect(error?.kind == .unavailable)
        }
    #endif

    @Test("A handle that pauses")
    func pausing() async throws {
        let stub = StubTransport { _ in .text("fine") }
        let client = Client(url, transport: stub)

        let control = TransferControl()
        async let export = client.get("export", as: Data.self) { Controlled(by: control) }
        control.pause()  // nothing is read any more, and the server has to wait
        control.resume()

        #expect(try await export == Data("fine".utf8))
    }

    @Test("Which redirects are followed")
    func redirects() async throws {
        let client = Client(url) {
            Redirects(.sameOrigin)  // not to another scheme, host or port
        }
        let export: Endpoint<Data> = client.endpoint {
            GET("export")
            Redirects(.follow(upTo: 3))  // wherever they lead
        }
        let login: Endpoint<Void> = client.endpoint {
            GET("login")
            Redirects(.refuse)  // or Success(302), to take the redirect for the answer
        }

        #expect(try export.explanation.contains("follow up to 3"))
        #expect(try login.explanation.contains("refuse"))
        let stub = StubTransport { _ in .redirect(to: "/welcome") }
        let error = await Sample.failure { () async throws(APIError) in
            try await Client(url, transport: stub).get("login", as: Data.self) { Redirects(.refuse) }
        }
        #expect(
            error?.description == """
                GET login got no response: the redirect was refused: it leads to https://shop.example/welcome; declare Redirects(.follow) to go there
                  https://shop.example/login
                """
        )
    }

    @Test("The client underneath follows no redirects")
    func configuration() async {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.decompression = .enabled(limit: .ratio(100))
        let transport = AsyncHTTPClientTransport(client: HTTPClient(configuration: configuration))

        let client = Client(url, transport: transport)
        let error = await Sample.failure { () async throws(APIError) in try await client.get("a", as: Int.self) }
        guard case .cancelled = error else {
            Issue.record("expected a cancelled call")
            return
        }
    }

    private func client(
        _ chunks: [Result<ByteBuffer, HTTPParserError>],
        expecting body: String = ""
    ) -> Client {
        let http = HTTPClient { request in
            let sent = try await request.body?.collect() ?? []
            #expect(String(decoding: sent, as: UTF8.self) == body)
            var headers = HTTPHeaders()
            for field in request.headers where field.name == "X-Echo" {
                headers.add(name: field.name, value: field.value)
            }
            return HTTPClientResponse(
                status: .init(code: 200, reasonPhrase: "OK"),
                headers: headers,
                body: .init(chunks: chunks)
            )
        }
        return Client(url, transport: AsyncHTTPClientTransport(client: http))
    }

    @Test("The adapter sends fields and bodies, and reads chunks")
    func adapter() async throws {
        let chunks: [Result<ByteBuffer, HTTPParserError>] = ["[1,", "2]"].map { .success(ByteBuffer(bytes: $0.utf8)) }
        let echo: Endpoint<[Int]> = client(chunks).endpoint {
            GET("a")
            Header("X-Echo", "b")
        }
        let response = try await echo.response()
        #expect(response.value == [1, 2])
        #expect(response.headerFields.map(\.description) == ["X-Echo: b"])
        #expect(try await client(chunks, expecting: "[3]").post("a", body: [3], as: [Int].self) == [1, 2])
        let stream: Endpoint<[Int]> = client(chunks, expecting: "abc").endpoint {
            PUT("a")
            Body(
                HTTPBody(
                    AsyncStream { stream in
                        stream.yield(Data("abc".utf8))
                        stream.finish()
                    }
                ),
                contentType: "text/plain"
            )
        }
        #expect(try await stream.send() == [1, 2])
    }

    @Test("The adapter tells errors apart")
    func errors() async {
        let errors: [(any Error & Sendable, TransportError.Kind)] = [
            (HTTPClientError.deadlineExceeded, .timedOut), (HTTPClientError.connectTimeout, .cannotConnect),
            (HTTPClientError.remoteConnectionClosed, .connectionLost),
            (HTTPParserError.invalidConstant, .invalidResponse),
            (NIOConnectionError(dnsAError: nil), .cannotConnect),
            (NIOConnectionError(dnsAError: HTTPClientError.cancelled), .cannotResolveHost),
            (IOError(errnoCode: ECONNREFUSED), .cannotConnect), (IOError(errnoCode: ECONNRESET), .connectionLost),
            (URLError(.unknown), .other),
        ]
        for (error, kind) in errors {
            let transport = AsyncHTTPClientTransport(client: HTTPClient { _ in throw error })
            await #expect { try await transport.send(HTTPRequest(method: .get, url: url)) } throws: { error in
                (error as? TransportError)?.kind == kind
            }
        }
        let cut = client([.success(ByteBuffer(bytes: "[1,".utf8)), .failure(.invalidEOFState)])
        let error = await Sample.failure { () async throws(APIError) in try await cut.get("a", as: [Int].self) }
        guard case .transport(let failure) = error else {
            Issue.record("expected a failure of the transport")
            return
        }
        #expect(failure.error.kind == .connectionLost)
    }
}
