import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillTesting
    @testable import WaybillCurl

    @Suite("CurlTransport: multiple loops", .inTurn, .safetyNet)
    struct CurlLoopsTests {
        /// Returns a session that spreads even a few transfers, including on a machine with fewer processors than
        /// loops.
        private func session(
            loops: Int,
            _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
        ) throws -> CurlSession {
            let configuration = CurlTransport.Configuration.with {
                $0.loops = loops
                change(&$0)
            }
            return try CurlSession(configuration, processors: loops, busyLoad: 0)
        }

        /// The indices of the loops that have opened connections.
        private func usedLoops(of session: CurlSession) -> [Int] {
            session.loops.filter { loop in loop.turn.withLock { loop.multi != nil } }.map(\.index)
        }

        @Test(
            "The number of loops is at least 1, and at most the number of processors and idle connections",
            arguments: [
                (0, 4, 256, 1), (-3, 4, 256, 1), (1, 4, 256, 1), (3, 4, 256, 3), (9, 4, 256, 4), (.max, 1, 256, 1),
                (4, 4, 2, 2), (4, 4, 0, 4), (4, 4, -1, 4),
            ]
        )
        func counts(loops: Int, processors: Int, idle: Int, expected: Int) throws {
            let session = try CurlSession(
                .with { ($0.loops, $0.connections.idle) = (loops, idle) },
                processors: processors
            )
            #expect(session.loops.count == expected)
            #expect(session.loops.map(\.index) == Array(0..<expected))
            if idle > 0 { #expect(session.loops.reduce(0) { $0 + $1.idleConnections } == idle) }
        }

        @Test("Each of 1,000 concurrent calls gets its own response, and every loop serves some")
        func spreads() async throws {
            let session = try session(loops: 3)
            let transport = CurlTransport(session)
            try await LoopbackServer.run(["POST {}": .response { .text($0.path + $0.text) }]) { server async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<1000 {
                        group.addTask {
                            let url = server.url.appending(path: "\(index)")
                            let text = try await transport.text(.post, url, HTTPBody(Data("-\(index)".utf8)))
                            #expect(text == "/\(index)-\(index)")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.acceptedConnections <= 128)
            }
            #expect(usedLoops(of: session) == [0, 1, 2])
        }

        @Test(
            "The connection limit applies across all loops",
            arguments: Thoroughness.some([1, 2, 5, 16], oneIn: 2),
            [2, 3]
        )
        func limits(perOrigin: Int, loops: Int) async throws {
            let flight = Monitor((now: 0, most: 0))
            let server = try LoopbackServer { _ in
                flight.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                for _ in 0..<20 { await Task.yield() }
                flight.update { $0.now -= 1 }
                return StubResponse(status: 204)
            }
            defer { server.stop() }
            let transport = CurlTransport(try session(loops: loops) { $0.connections.perOrigin = perOrigin })
            let url = server.url.appending(path: "it")
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<200 { group.addTask { try await transport.get(url).response.status } }
                for try await status in group { #expect(status == 204) }
            }
            #expect(server.requestCount == 200)
            #expect(flight.current.most <= perOrigin)
            #expect(server.acceptedConnections <= perOrigin)
        }

        @Test("The limit on idle connections applies across all loops", arguments: [1, 2, 3, 5])
        func limitsIdle(idle: Int) async throws {
            let gate = Gate()
            try await LoopbackServer.run(["GET it": .text("fine").held(by: gate)]) { server async throws in
                let transport = CurlTransport(try session(loops: 2) { $0.connections.idle = idle })
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<8 { group.addTask { try await transport.get(server.url.appending(path: "it")).text } }
                    await server.waitForRequests(count: 8)
                    #expect(server.openConnections == 8)
                    gate.open()
                    for try await text in group { #expect(text == "fine") }
                }
                await waitUntil { server.openConnections == idle }
                #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                #expect(server.acceptedConnections == 8)
            }
        }

        @Test("Sequential calls use one connection of one loop")
        func stays() async throws {
            let session = try session(loops: 3)
            let transport = CurlTransport(session)
            try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
                for _ in 0..<50 { _ = try await transport.get(server.url.appending(path: "it")) }
                #expect(server.acceptedConnections == 1)
            }
            #expect(usedLoops(of: session) == [0])
        }

        @Test("A connection is reused even if another loop would be next")
        func reuses() async throws {
            let gate = Gate()
            let responses: StubResponses = ["GET it": .text("fine"), "GET held": .text("held").held(by: gate)]
            try await LoopbackServer.run(responses) { server async throws in
                try await LoopbackServer.run(responses) { other async throws in
                    let transport = CurlTransport(try session(loops: 2))
                    try await withThrowingTaskGroup(of: String.self) { group in
                        group.addTask { try await transport.get(server.url.appending(path: "held")).text }
                        await server.waitForRequests(count: 1)
                        // The first loop has the held call, so this opens a connection on the second loop.
                        #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                        // Both loops then have equally many calls in flight, and the second has one more connection.
                        for count in 1...3 {
                            group.addTask { try await transport.get(other.url.appending(path: "held")).text }
                            await other.waitForRequests(count: count)
                        }
                        for _ in 0..<3 {
                            #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                        }
                        #expect(server.acceptedConnections == 2)
                        gate.open()
                        for try await text in group { #expect(text == "held") }
                    }
                }
            }
        }

        @Test("Cancelled calls end on every loop, the others complete, and the last one closes the connections")
        func cancelsBusyLoops() async throws {
            let gate = Gate()
            let responses: StubResponses = [
                "GET never": .never, "GET it": .bytes(Data(repeating: 7, count: 300_000)).held(by: gate),
            ]
            try await LoopbackServer.run(responses) { server async throws in
                var session: CurlSession? = try self.session(loops: 3) { $0.connections.perOrigin = 60 }
                let loops = session?.loops.map { WeakLoop(loop: $0) } ?? []
                let calls = try #require(session.map(CurlTransport.init)).calls(["never", "it"], 50, to: server.url)
                session = nil
                // The other 40 are queued.
                await server.waitForRequests(count: 60)
                for call in calls where call.path == "never" { call.task.cancel() }
                gate.open()
                for call in calls {
                    if call.path == "it" {
                        #expect(try await call.task.value == 300_000)
                    } else {
                        let error = await #expect(throws: TransportError.self) { try await call.task.value }
                        #expect(error?.kind == .cancelled)
                    }
                }
                await server.waitForOpenConnections(atMost: 0)
                #expect(server.acceptedConnections <= 60 + 50)
                await waitUntil { loops.allSatisfy { $0.loop == nil } }
            }
        }

        @Test("The total timeout applies to calls on every loop and in the queue")
        func expires() async throws {
            let silent = try SilentPort()
            let session = try session(loops: 3) {
                $0.connections.perOrigin = 6
                $0.timeouts.total = .seconds(2)
            }
            let request = try CurlRequest(HTTPRequest(method: .get, url: try silent.url("http")))
            let transfers = (0..<20).map { _ in CurlTransfer(request, in: session) }
            for transfer in transfers { session.start(transfer) }
            var phases: [TransportError.Phase?] = []
            for transfer in transfers {
                let error = await #expect(throws: TransportError.self) { try await transfer.head() }
                #expect(error?.timeout == .total)
                phases.append(error?.phase)
            }
            #expect(!phases[..<6].contains(.queued))
            // Calls in flight can expire earlier and admit queued calls. How many depends on when each call started.
            #expect(phases.contains(.queued))
        }
    }

    @Suite("CurlTransport: multiple loops over TLS", .needsTLSServer, .inTurn, .safetyNet)
    struct CurlLoopsTLSTests {
        @Test(
            "HTTP/2 calls share one loop's connection, and HTTP/1.1 calls spread over the loops",
            arguments: [(TLSServer.Block.good, [0]), (.older, [0, 1])]
        )
        func shares(_ block: TLSServer.Block, loops: [Int]) async throws {
            let server = try TLSServer.shared.get()
            let configuration = CurlTransport.Configuration.with {
                $0.tls.trust = .authorities(.file(server.file("authority.pem")))
            }
            let session = try CurlSession(configuration, processors: 2, busyLoad: 0)
            let transport = CurlTransport(session)
            let url = try server.url(block, "connection")
            var connections: Set<String> = [try await transport.get(url).text]
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<40 { group.addTask { try await transport.get(url).text } }
                    for try await text in group { connections.insert(text) }
                }
            }
            #expect((connections.count == 1) == (loops == [0]), "\(connections)")
            #expect(session.loops.filter { loop in loop.turn.withLock { loop.multi != nil } }.map(\.index) == loops)
        }
    }

    /// A weak reference to a loop.
    private struct WeakLoop {
        weak var loop: CurlLoop?
    }

    extension CurlTransport {
        /// Starts calls that each return their response body's length in bytes.
        fileprivate func calls(
            _ paths: [String],
            _ count: Int,
            to server: URL
        ) -> [(path: String, task: Task<Int, any Error>)] {
            (0..<count).flatMap { _ in
                paths.map { path in
                    let request = HTTPRequest(method: .get, url: server.appending(path: path))
                    return (path, Task { try await send(request).body.collect().count })
                }
            }
        }
    }
#endif
