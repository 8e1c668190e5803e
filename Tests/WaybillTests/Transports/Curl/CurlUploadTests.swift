#if os(Linux)
    import Foundation
    import Testing
    import Waybill
    import WaybillTesting

    @Suite("CurlTransport, uploads", .timeLimit(.minutes(10)))
    struct CurlUploadTests {
        private static let everything = Answers().otherwise(.text("fine"))

        /// Chunks that can be read any number of times.
        private struct Chunks: AsyncSequence, Sendable {
            var chunks: [Data]
            var error: Broken?

            init(_ texts: String..., error: Broken? = nil) {
                chunks = texts.map { Data($0.utf8) }
                self.error = error
            }

            struct AsyncIterator: AsyncIteratorProtocol {
                var rest: ArraySlice<Data>
                let error: Broken?

                mutating func next() async throws -> Data? {
                    if let chunk = rest.popFirst() { return chunk }
                    if let error { throw error }
                    return nil
                }
            }

            func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...], error: error) }
        }

        private struct Broken: Error {}

        @discardableResult
        private func send(
            _ method: HTTPRequest.Method,
            _ url: URL,
            body: HTTPBody,
            by transport: CurlTransport
        ) async throws -> String {
            let response = try await transport.send(HTTPRequest(method: method, url: url, body: body))
            return String(decoding: try await response.body.collect(), as: UTF8.self)
        }

        @Test("sends a body of unknown length in chunks")
        func unknownLength() async throws {
            let transport = try CurlTransport()
            try await LoopbackServer.run(Self.everything) { server async throws in
                let body = HTTPBody(Chunks("one ", "", "two ", "three"))
                #expect(try await send(.post, server.url, body: body, by: transport) == "fine")
                let request = try #require(server.requests.first)
                #expect(request.text == "one two three")
                #expect(request.headerFields[.transferEncoding] == "chunked")
                #expect(request.headerFields[.contentLength] == nil)
            }
        }

        @Test("sends a body of known length with that length")
        func knownLength() async throws {
            let transport = try CurlTransport()
            try await LoopbackServer.run(Self.everything) { server async throws in
                let body = HTTPBody(Chunks("one ", "", "two ", "three"), length: 13)
                #expect(try await send(.put, server.url, body: body, by: transport) == "fine")
                let request = try #require(server.requests.first)
                #expect(request.text == "one two three")
                #expect(request.headerFields[values: .contentLength] == ["13"])
                #expect(request.headerFields[.transferEncoding] == nil)
            }
        }

        @Test("streams 5 MB intact, with and without a length", arguments: [true, false])
        func large(isLengthKnown: Bool) async throws {
            let transport = try CurlTransport()
            let bytes = Data.sample(count: 5_000_000)
            var chunks = Chunks()
            chunks.chunks = stride(from: 0, to: bytes.count, by: 70_001).map {
                bytes[$0..<min($0 + 70_001, bytes.count)]
            }
            let body = HTTPBody(chunks, length: isLengthKnown ? bytes.count : nil)
            try await LoopbackServer.run(Self.everything) { server async throws in
                #expect(try await send(.put, server.url, body: body, by: transport) == "fine")
                #expect(server.requests.first?.body == bytes)
            }
        }

        @Test(
            "refuses a body that is not as long as it says, and the server gets no whole request",
            arguments: [1, 12, 14, 99]
        )
        func wrongLength(length: Int) async throws {
            let transport = try CurlTransport()
            try await LoopbackServer.run(Self.everything) { server async throws in
                let body = HTTPBody(Chunks("one ", "two ", "three"), length: length)
                let error = await #expect(throws: TransportError.self) {
                    try await send(.put, server.url, body: body, by: transport)
                }
                #expect(error?.kind == .unsupportedRequest)
                await server.waitForOpenConnections(atMost: 0)
                #expect(server.requestCount == 0)
                let right = HTTPBody(Chunks("right"))
                #expect(try await send(.put, server.url, body: right, by: transport) == "fine")
            }
        }

        @Test("throws the error of a body that fails", arguments: [nil, 100])
        func failingBody(length: Int?) async throws {
            let transport = try CurlTransport()
            try await LoopbackServer.run(Self.everything) { server async throws in
                let body = HTTPBody(Chunks("one ", error: Broken()), length: length)
                let error = await #expect(throws: TransportError.self) {
                    try await send(.put, server.url, body: body, by: transport)
                }
                #expect(error?.underlying is Broken)
                await server.waitForOpenConnections(atMost: 0)
                #expect(server.requestCount == 0)
            }
        }

        @Test(
            "sends a body that can be read again a second time, intact, when a kept connection is closed",
            arguments: [nil, 13]
        )
        func replayed(length: Int?) async throws {
            let transport = try CurlTransport()
            let answers = Answers().otherwise(
                .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")])
            )
            try await LoopbackServer.run(answers) { server async throws in
                let body = HTTPBody(Chunks("one ", "two ", "three"), length: length, isReplayable: true)
                #expect(try await send(.put, server.url, body: HTTPBody(), by: transport) == "fine")
                #expect(try await send(.put, server.url, body: body, by: transport) == "fine")
                #expect(server.requests.map(\.text) == ["", "one two three", "one two three"])
            }
        }

        @Test(
            "sends no second time what could have another effect, or cannot be read again",
            arguments: [(.post, true), (.patch, true), (.post, false), (.put, false)] as [(HTTPRequest.Method, Bool)]
        )
        func notReplayed(method: HTTPRequest.Method, isReplayable: Bool) async throws {
            let transport = try CurlTransport()
            let answers = Answers().otherwise(
                .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")])
            )
            try await LoopbackServer.run(answers) { server async throws in
                let body = HTTPBody(Chunks("one ", "two ", "three"), isReplayable: isReplayable)
                #expect(try await send(method, server.url, body: HTTPBody(), by: transport) == "fine")
                let error = await #expect(throws: TransportError.self) {
                    try await send(method, server.url, body: body, by: transport)
                }
                #expect(error?.kind == .connectionLost)
                #expect(server.requests.map(\.text) == ["", "one two three"])
            }
        }
    }
#endif
