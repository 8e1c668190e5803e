import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill

    @testable import WaybillTesting
    @testable import WaybillCurl

    @Suite("CurlTransport: connections", .inTurn, .safetyNet)
    struct CurlConnectionTests {
        private let responses: StubResponses = ["GET it": .text("fine"), "GET other": .text("other")]

        @Test("CurlTransport reuses a connection")
        func reuses() async throws {
            try await LoopbackServer.run(responses) { server async throws in
                let transport = try CurlTransport()
                for path in ["it", "other", "it"] {
                    _ = try await transport.get(server.url.appending(path: path))
                }
                #expect(server.acceptedConnections == 1)
                #expect(server.openConnections == 1)
            }
        }

        @Test("CurlTransport limits concurrent requests to an origin, and all of them get responses")
        func limits() async throws {
            let flight = Monitor((now: 0, most: 0))
            let server = try LoopbackServer { _ in
                flight.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                for _ in 0..<20 { await Task.yield() }
                flight.update { $0.now -= 1 }
                return StubResponse(status: 204)
            }
            defer { server.stop() }
            let transport = try CurlTransport(.with { $0.connections.perOrigin = 1 })
            let url = server.url.appending(path: "it")
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<20 { group.addTask { try await transport.get(url).response.status } }
                for try await status in group { #expect(status == 204) }
            }
            #expect(server.requestCount == 20)
            #expect(flight.current.most == 1)
            #expect(server.acceptedConnections == 1)
        }

        @Test("CurlTransport's connection limit applies per origin")
        func limitsEachOrigin() async throws {
            let gate = Gate()
            try await LoopbackServer.run(["GET it": .text("held").held(by: gate)]) { slow async throws in
                try await LoopbackServer.run(responses) { other async throws in
                    let transport = try CurlTransport(.with { $0.connections.perOrigin = 1 })
                    async let held = transport.get(slow.url.appending(path: "it")).text
                    await slow.waitForRequests(count: 1)
                    #expect(try await transport.get(other.url.appending(path: "it")).text == "fine")
                    gate.open()
                    #expect(try await held == "held")
                }
            }
        }

        @Test("CurlTransport closes an idle connection after its lifetime, and the next call opens another")
        func closesIdle() async throws {
            try await LoopbackServer.run(responses) { server async throws in
                let transport = try CurlTransport(.with { $0.connections.idleLifetime = .milliseconds(50) })
                _ = try await transport.get(server.url.appending(path: "it"))
                await server.waitForOpenConnections(atMost: 0)
                #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                #expect(server.acceptedConnections == 2)
            }
        }

        @Test("CurlTransport closes idle connections of one origin while another is busy")
        func closesIdleBesideBusy() async throws {
            let gate = Gate()
            let responses: StubResponses = ["GET it": .text("fine"), "GET held": .text("held").held(by: gate)]
            try await LoopbackServer.run(responses) { idle async throws in
                try await LoopbackServer.run(responses) { busy async throws in
                    let transport = try CurlTransport(.with { $0.connections.idleLifetime = .seconds(1) })
                    // While this request is in flight, not all connections are idle.
                    async let held = transport.get(busy.url.appending(path: "held")).text
                    await busy.waitForRequests(count: 1)
                    _ = try await transport.get(idle.url.appending(path: "it"))
                    #expect(idle.openConnections == 1)
                    while idle.openConnections > 0 { _ = try await transport.get(busy.url.appending(path: "it")) }
                    gate.open()
                    #expect(try await held == "held")
                }
            }
        }

        @Test("CurlTransport keeps at most the allowed number of idle connections")
        func limitsIdle() async throws {
            try await LoopbackServer.run(responses) { first async throws in
                try await LoopbackServer.run(responses) { second async throws in
                    let transport = try CurlTransport(.with { $0.connections.idle = 1 })
                    _ = try await transport.get(first.url.appending(path: "it"))
                    _ = try await transport.get(second.url.appending(path: "it"))
                    // The least recently used connection is closed; within the same millisecond, it can be either.
                    await waitUntil { first.openConnections + second.openConnections == 1 }
                }
            }
        }

        @Test("CurlTransport keeps no idle connection if the limit is not positive", arguments: [0, -1])
        func keepsNone(idle: Int) async throws {
            try await LoopbackServer.run(responses) { server async throws in
                let transport = try CurlTransport(
                    .with { ($0.connections.idle, $0.connections.idleLifetime) = (idle, .seconds(3600)) }
                )
                for count in 1...3 {
                    #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                    await server.waitForOpenConnections(atMost: 0)
                    #expect(server.acceptedConnections == count)
                }
                // A request other than a plain GET resets its handle to libcurl's defaults.
                #expect(try await transport.text(.post, server.url.appending(path: "it"), HTTPBody()) != "fine")
                await server.waitForOpenConnections(atMost: 0)
                #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                await server.waitForOpenConnections(atMost: 0)
            }
        }

        @Test("CurlTransport closes its connections when its last copy is released, and not before")
        func closesWithTheLastCopy() async throws {
            try await LoopbackServer.run(responses) { server async throws in
                var transport: CurlTransport? = try CurlTransport()
                var copy = transport
                _ = try await transport?.get(server.url.appending(path: "it"))
                transport = nil
                _ = try await copy?.get(server.url.appending(path: "it"))
                #expect(server.acceptedConnections == 1)
                copy = nil
                await server.waitForOpenConnections(atMost: 0)
            }
        }
    }
#endif
