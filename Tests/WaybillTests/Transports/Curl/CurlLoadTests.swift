#if os(Linux)
    import Foundation
    import Testing
    import Waybill
    import WaybillTesting

    @Suite("CurlTransport, load", .timeLimit(.minutes(10)))
    struct CurlLoadTests {
        @Test("completes the calls that are on their way when the transport is dropped, then closes its connections")
        func dropped() async throws {
            let gate = Gate()
            try await LoopbackServer.run(["GET it": .text("fine").held(by: gate)]) { server async throws in
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                var transport: CurlTransport? = try CurlTransport()
                var calls: [Task<Data, any Error>] = []
                if let transport {
                    for _ in 0..<20 { calls.append(Task { try await transport.send(request).body.collect() }) }
                }
                transport = nil
                await server.waitForRequests(count: 20)
                gate.open()
                for call in calls { #expect(try await call.value == Data("fine".utf8)) }
                calls = []
                await server.waitForOpenConnections(atMost: 0)
            }
        }

        @Test("carries 1,000 calls at a time, each to its own answer")
        func concurrent() async throws {
            let transport = try CurlTransport()
            try await LoopbackServer.run(["POST {}": .answer { .text($0.path + $0.text) }]) { server async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<1000 {
                        group.addTask {
                            let request = HTTPRequest(
                                method: .post,
                                url: server.url.appending(path: "\(index)"),
                                body: HTTPBody(Data("-\(index)".utf8))
                            )
                            let response = try await transport.send(request)
                            #expect(try await response.body.collect() == Data("/\(index)-\(index)".utf8))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.acceptedConnections <= 128)
            }
        }

        @Test("delivers 20 MB to a reader who lets others go first, chunk by chunk", arguments: [false, true])
        func slowReader(isChunked: Bool) async throws {
            var configuration = CurlTransport.Configuration()
            configuration.limits.bufferedBytes = 10_000
            let transport = try CurlTransport(configuration)
            let bytes = Data.sample(count: 20_000_000)
            let answer = isChunked ? Answer.bytes(bytes).chunked(size: 50_000) : .bytes(bytes)
            try await LoopbackServer.run(["GET it": .answer(answer)]) { server async throws in
                let response = try await transport.send(
                    HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                )
                var collected = Data()
                for try await chunk in response.body {
                    // libcurl hands out pieces of at most 16 KiB or so, the last of which may exceed the limit.
                    #expect(chunk.count <= 10_000 + 64 * 1024)
                    collected.append(chunk)
                    for _ in 0..<20 { await Task.yield() }
                }
                #expect(collected == bytes)
            }
        }

        @Test("holds a request back that was paused before it was sent, until it is resumed")
        func pausedBeforehand() async throws {
            let transport = try CurlTransport()
            try await LoopbackServer.run(["GET it": .text("held"), "GET fine": .text("fine")]) { server async throws in
                let control = TransferControl()
                control.pause()
                var request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                request.control = control
                let held = request
                let call = Task { try await transport.send(held).body.collect() }
                let other = HTTPRequest(method: .get, url: server.url.appending(path: "fine"))
                for _ in 0..<50 { #expect(try await transport.send(other).body.collect() == Data("fine".utf8)) }
                #expect(server.requests.allSatisfy { $0.path == "/fine" })
                control.resume()
                #expect(try await call.value == Data("held".utf8))
            }
        }

        @Test("goes on with a body where it was paused")
        func pausedInsideBody() async throws {
            let transport = try CurlTransport()
            let bytes = Data.sample(count: 5_000_000)
            try await LoopbackServer.run(["GET it": .bytes(bytes)]) { server async throws in
                let control = TransferControl()
                var request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                request.control = control
                var collected = Data()
                for try await chunk in try await transport.send(request).body {
                    collected.append(chunk)
                    control.pause()
                    for _ in 0..<10 { await Task.yield() }
                    control.resume()
                }
                #expect(collected == bytes)
            }
        }

        @Test("tells of a gzip body that was cut short, though its length is right", arguments: [11, 30, 43])
        func truncatedGzip(count: Int) async throws {
            let transport = try CurlTransport()
            let gzip = try #require(
                Data(base64Encoded: "H4sIAAAAAAACA0tUSMpPqVQoyUgsUShPLFZILi1RKM7ILyrRUUjEJQUAmiF+rDQAAAA=")
            )
            let answer = Answer.bytes(gzip.prefix(count)).header("Content-Encoding", "gzip")
            try await LoopbackServer.run(["GET it": .answer(answer)]) { server async throws in
                let response = try await transport.send(
                    HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                )
                #expect(response.status == 200)
                let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
                #expect(error?.kind == .connectionLost)
            }
        }
    }
#endif
