#if os(Linux)
    import Foundation
    import Testing
    import Waybill
    import WaybillTesting

    @Suite("CurlTransport, cancellation", .timeLimit(.minutes(10)))
    struct CurlCancellationTests {
        private let transport: CurlTransport

        init() throws { transport = try CurlTransport() }

        private func expectWorks(_ server: LoopbackServer) async throws {
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "fine"))
            #expect(try await transport.send(request).body.collect() == Data("fine".utf8))
        }

        private func expectCancelled<Value: Sendable>(_ task: Task<Value, any Error>) async {
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }

        @Test("sends nothing for a task that is cancelled already")
        func cancelledBefore() async throws {
            try await LoopbackServer.run(["GET fine": .text("fine")]) { server async throws in
                let gate = Gate()
                let task = Task {
                    await gate.waitUntilOpen()
                    return try await transport.send(HTTPRequest(method: .get, url: server.url))
                }
                task.cancel()
                gate.open()
                await expectCancelled(task)
                #expect(server.acceptedConnections == 0)
                try await expectWorks(server)
            }
        }

        @Test("stops a request that waits for its turn")
        func cancelledInLine() async throws {
            var configuration = CurlTransport.Configuration()
            configuration.connections.perOrigin = 1
            let transport = try CurlTransport(configuration)
            let gate = Gate()
            try await LoopbackServer.run(["GET it": .text("fine").held(by: gate)]) { server async throws in
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                async let first = transport.send(request).body.collect()
                await server.waitForRequests(count: 1)
                let second = Task { try await transport.send(request) }
                async let third = transport.send(request).body.collect()
                second.cancel()
                await expectCancelled(second)
                gate.open()
                #expect(try await [first, third] == [Data("fine".utf8), Data("fine".utf8)])
                #expect(server.requestCount == 2)
            }
        }

        @Test("stops waiting for the head, and closes the connection")
        func cancelledBeforeHead() async throws {
            try await LoopbackServer.run(["GET it": .never, "GET fine": .text("fine")]) { server async throws in
                let task = Task {
                    try await transport.send(HTTPRequest(method: .get, url: server.url.appending(path: "it")))
                }
                await server.waitForRequests(count: 1)
                task.cancel()
                await expectCancelled(task)
                await server.waitForOpenConnections(atMost: 0)
                try await expectWorks(server)
            }
        }

        @Test("stops waiting for more of the body, and closes the connection")
        func cancelledInsideBody() async throws {
            let head = Gate()
            try await LoopbackServer.run([
                "GET it": .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", closing: false),
                "GET fine": .text("fine"),
            ]) { server async throws in
                let task = Task {
                    let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                    for try await chunk in try await transport.send(request).body {
                        #expect(chunk == Data("abc".utf8))
                        head.open()
                    }
                }
                await head.waitUntilOpen()
                task.cancel()
                await expectCancelled(task)
                await server.waitForOpenConnections(atMost: 0)
                try await expectWorks(server)
            }
        }

        @Test("stops an upload, closes the connection and reads no more of the body", arguments: [nil, 10])
        func cancelledInsideUpload(length: Int?) async throws {
            try await LoopbackServer.run(["PUT it": .text("no"), "GET fine": .text("fine")]) { server async throws in
                let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
                let ended = Gate()
                continuation.onTermination = { _ in ended.open() }
                continuation.yield(Data("abc".utf8))
                let task = Task {
                    let url = server.url.appending(path: "it")
                    let body = HTTPBody(chunks, length: length)
                    return try await transport.send(HTTPRequest(method: .put, url: url, body: body))
                }
                while server.acceptedConnections == 0 { await Task.yield() }
                task.cancel()
                await expectCancelled(task)
                await ended.waitUntilOpen()
                await server.waitForOpenConnections(atMost: 0)
                #expect(server.requestCount == 0)
                try await expectWorks(server)
            }
        }

        @Test("ends every call, however its cancellation races with its answer", arguments: [true, false])
        func races(isChunked: Bool) async throws {
            let answer = isChunked ? Answer.text("a body").chunked(size: 1) : .text("a body")
            try await LoopbackServer.run(["POST it": .answer(answer), "GET fine": .text("fine")]) {
                server async throws in
                let url = server.url.appending(path: "it")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<2000 {
                        if index >= 16 { try await group.next() }
                        group.addTask { try await cancelMidway(url, after: index % 40) }
                    }
                    try await group.waitForAll()
                }
                try await expectWorks(server)
            }
        }

        /// Sends a request and cancels it a little later: after other tasks had so many turns.
        private func cancelMidway(_ url: URL, after turns: Int) async throws {
            let task = Task {
                let request = HTTPRequest(method: .post, url: url, body: HTTPBody(Data("x".utf8)))
                return try await transport.send(request).body.collect()
            }
            for _ in 0..<(turns * turns / 4) { await Task.yield() }
            task.cancel()
            do {
                #expect(try await task.value == Data("a body".utf8))
            } catch let error as TransportError {
                #expect(error.kind == .cancelled)
            }
        }
    }
#endif
