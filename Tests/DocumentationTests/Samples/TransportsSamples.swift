import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

// A copy of the module's protocol that shows its requirements; a type that conforms to both proves that they are the
// same.
private enum Page {
    protocol Transport: Sendable {
        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse
    }
}

extension StubTransport: Page.Transport {}

@Suite("Transports.md")
struct TransportsSamples {
    private let url = Sample.url

    @Test("The URLSession configuration in Transports.md compiles")
    func urlSession() throws {
        let client = Client(url, transport: .urlSession(idleTimeout: .seconds(20)))

        #expect(client.url == url)
    }

    #if !canImport(FoundationNetworking)
        @Test("The pinned certificates for URLSession in Transports.md compile")
        func pinning() {
            let pinned: Set<Data> = []
            let transport = URLSessionTransport { challenge in
                let space = challenge.protectionSpace
                guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
                    return (.performDefaultHandling, nil)
                }
                guard let trust = space.serverTrust, SecTrustEvaluateWithError(trust, nil),
                    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
                    let certificate = chain.first, pinned.contains(SecCertificateCopyData(certificate) as Data)
                else { return (.cancelAuthenticationChallenge, nil) }
                return (.useCredential, URLCredential(trust: trust))
            }

            #expect(Client(url, transport: transport).url == url)
        }
    #endif

    #if os(Linux)
        @Test("The HTTP version in Transports.md can be set")
        func versions() throws {
            var configuration = CurlTransport.Configuration()
            configuration.versions.withoutTLS = .http2
            let client = Client(url, transport: try .curl(configuration))
            #expect(client.url == url)
        }

        @Test("The libcurl settings in Transports.md throw an error for a missing certificate")
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

    #if os(Linux)
        @Test("The pins in Transports.md are accepted, and a pin in another format is rejected")
        func pins() throws {
            var configuration = CurlTransport.Configuration()
            configuration.tls.pinnedPublicKeys = [
                "Pr3QHDGrKktBjIZJhtpxuy6DKyqwhrGZZ8pZXzcTjVU=",  // the key in use
                "jOTHW3tjzyQhGfcMlzvxHUwOePPdPvJ4wBZ0NhQnuHk=",  // the next one, pinned before a certificate uses it
            ]
            #expect(configuration.tls.pinnedPublicKeys.allSatisfy { $0.count == 44 })
            let _: CurlTransport = try .curl(configuration)
            configuration.tls.pinnedPublicKeys = ["sha256//Pr3QHDGrKktBjIZJhtpxuy6DKyqwhrGZZ8pZXzcTjVU="]
            #expect(throws: TransportError.self) { let _: CurlTransport = try .curl(configuration) }
        }
    #endif

    @Test("The handle in Transports.md pauses a transfer")
    func pausing() async throws {
        let stub = StubTransport { _ in .text("fine") }
        let client = Client(url, transport: stub)

        let control = TransferControl()
        async let export = client.get("export", as: Data.self) { Control(with: control) }
        control.pause()  // nothing is read, and the server has to wait
        control.resume()

        #expect(try await export == Data("fine".utf8))
    }

    @Test("The explanation lists the redirect policies in Transports.md, and one rejects a redirect")
    func redirects() async throws {
        let client = Client(url) {
            Redirects(.sameOrigin)  // not to another scheme, host or port
        }
        let export: Endpoint<Data> = client.endpoint {
            GET("export")
            Redirects(.follow(upTo: 3))  // to any origin
        }
        let login: Endpoint<Void> = client.endpoint {
            GET("login")
            Redirects(.reject)  // or Success(302), to get the redirect as the response
        }

        #expect(try export.explanation.contains("follow up to 3"))
        #expect(try login.explanation.contains("reject"))
        let stub = StubTransport { _ in .redirect(to: "/welcome") }
        let error = await Sample.failure {
            try await Client(url, transport: stub).get("login", as: Data.self) { Redirects(.reject) }
        }
        #expect(
            error?.description == """
                GET login got no response: the redirect was rejected: it leads to https://shop.example/welcome; declare Redirects(.follow) to follow it
                  https://shop.example/login
                """
        )
    }

    @Test("The links of a server behind a proxy in Transports.md are requested at the client's origin")
    func proxiedLinks() async throws {
        let client = Client(url) {
            Route.Links(to: .baseOrigin)  // http://internal:8080/products?page=2 is requested at https://shop.example
        }
        let export: Endpoint<Data> = client.endpoint {
            GET("export")
            Route.Links(to: .linkedOrigin)  // redirects to a storage service
        }

        #expect(try export.explanation.contains("Route.Links: linkedOrigin"))
        let stub = StubTransport { request in
            request.query == nil
                ? .json(#"{"items": [1], "next": "http://internal:8080/products?page=2"}"#)
                : .json(#"{"items": [2]}"#)
        }
        func products(@Scope.Builder _ clauses: () -> Scope) -> Endpoint<[Int]> {
            let client = Client(url, transport: stub, clauses)
            return client.endpoint {
                GET("products")
                Envelope("items")
                Paginated(.next(at: "next"))
            }
        }
        #expect(try await products { Route.Links(to: .baseOrigin) }.all.collect() == [1, 2])
        let error = await Sample.failure { try await products {}.all.collect() }
        #expect(
            error?.description == """
                GET products cannot be paged: the next page is on another origin, http://internal:8080; behind a proxy, configure the server to trust X-Forwarded-Proto and X-Forwarded-Host, or declare Route.Links(to: .baseOrigin); if it is another server, allow it with Paginated(…, otherOrigins: ["http://internal:8080"]), unencrypted and without a credential
                  http://internal:8080/products?page=2, page 2
                """
        )
    }

    @Test("The client configuration for the adapter in Transports.md compiles")
    func configuration() async {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = .enabled(limit: .ratio(100))
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(60))
        let transport = AsyncHTTPClientTransport(client: HTTPClient(configuration: configuration))

        let client = Client(url, transport: transport)
        let error = await Sample.failure { try await client.get("a", as: Int.self) }
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
            for field in request.headers where field.name.hasPrefix("X-Echo") {
                headers.add(name: String(field.name.dropFirst("X-Echo-".count)), value: field.value)
            }
            return HTTPClientResponse(
                status: .init(code: 200, reasonPhrase: "OK"),
                headers: headers,
                body: .init(chunks: chunks)
            )
        }
        return Client(url, transport: AsyncHTTPClientTransport(client: http))
    }

    @Test("The adapter in Transports.md sends header fields and bodies and reads chunks")
    func adapter() async throws {
        let chunks: [Result<ByteBuffer, HTTPParserError>] = ["[1,", "2]"].map { .success(ByteBuffer(bytes: $0.utf8)) }
        let echo: Endpoint<[Int]> = client(chunks).endpoint {
            GET("a")
            Header("X-Echo-X-One", "b")
        }
        let response = try await echo.response()
        #expect(response.value == [1, 2])
        #expect(response.headerFields.map(\.description) == ["X-One: b"])
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

    @Test(
        "The adapter in Transports.md removes the fields of a decoded content coding",
        arguments: [("gzip", []), ("br", ["Content-Encoding: br", "Content-Length: 9"])] as [(String, [String])]
    )
    func decodedBody(coding: String, expected: [String]) async throws {
        let coded: Endpoint<[Int]> = client([.success(ByteBuffer(bytes: "[1]".utf8))]).endpoint {
            GET("a")
            Header("X-Echo-Content-Encoding", coding)
            Header("X-Echo-Content-Length", "9")
        }
        #expect(try await coded.response().headerFields.map(\.description) == expected)
    }

    @Test("The adapter in Transports.md reports the progress of a call in both directions", arguments: [true, false])
    func progress(isStream: Bool) async throws {
        let chunks: [Result<ByteBuffer, HTTPParserError>] = ["[1,", "2]"].map { .success(ByteBuffer(bytes: $0.utf8)) }
        let parts = HTTPBody(
            AsyncStream { stream in
                for text in ["a", "bc"] { stream.yield(Data(text.utf8)) }
                stream.finish()
            }
        )
        let control = TransferControl()
        let upload: Endpoint<[Int]> = client(chunks, expecting: "abc").endpoint {
            PUT("a")
            Body(isStream ? parts : HTTPBody(Data("abc".utf8)), contentType: "text/plain")
            Header("X-Echo-Content-Length", "5")
            Control(with: control)
        }
        #expect(try await upload.send() == [1, 2])
        var last: TransferControl.Progress?
        for await progress in control.progress { last = progress }
        #expect(last?.bytesSent == 3)
        #expect(last?.bytesReceived == 5)
        #expect(last?.fractionReceived == 1)
    }

    @Test("The adapter in Transports.md distinguishes errors")
    func errors() async {
        let errors: [(any Error & Sendable, TransportError.Kind)] = [
            (HTTPClientError.deadlineExceeded, .timedOut), (HTTPClientError.connectTimeout, .cannotConnect),
            (HTTPClientError.remoteConnectionClosed, .connectionLost),
            (HTTPParserError.invalidConstant, .invalidResponse),
            (NIOConnectionError(dnsAError: nil), .cannotConnect),
            (NIOConnectionError(dnsAError: HTTPClientError.cancelled), .cannotResolveHost),
            (IOError(errnoCode: ECONNREFUSED), .cannotConnect), (IOError(errnoCode: ECONNRESET), .connectionLost),
            (ChannelError.connectTimeout(.seconds(1)), .cannotConnect),
            (ChannelError.ioOnClosedChannel, .connectionLost), (ChannelError.eof, .connectionLost),
            (NIOSSLError.handshakeFailed(.sslError), .secureConnectionFailed),
            (BoringSSLError.sslError, .secureConnectionFailed), (NIOSSLExtraError(), .secureConnectionFailed),
            (NIOSSLError.uncleanShutdown, .connectionLost),
            (HTTPClientError.tlsHandshakeTimeout, .secureConnectionFailed),
            (HTTPClientError.bodyLengthMismatch, .unsupportedRequest),
            (URLError(.unknown), .other),
        ]
        for (error, kind) in errors {
            let transport = AsyncHTTPClientTransport(client: HTTPClient { _ in throw error })
            await #expect { try await transport.send(HTTPRequest(method: .get, url: url)) } throws: { error in
                (error as? TransportError)?.kind == kind
            }
        }
        let cut = client([.success(ByteBuffer(bytes: "[1,".utf8)), .failure(.invalidEOFState)])
        let error = await Sample.failure { try await cut.get("a", as: [Int].self) }
        guard case .transport(let failure) = error else {
            Issue.record("expected a failure of the transport")
            return
        }
        #expect(failure.error.kind == .connectionLost)
    }
}
