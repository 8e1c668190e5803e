import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillTesting
    @testable import WaybillCurl

    @Suite("CurlTransport: queued calls", .largeInTurn, .safetyNet)
    struct CurlLineTests {
        private static let limit = Duration.milliseconds(500)

        @Test("Time in the queue does not count against the connect and first-byte timeouts")
        func waitsForItsTurn() async throws {
            // On a machine under load the response itself can exceed the limit, so the test retries.
            for _ in 1...10 where try await getsResponseBehindAnother() { return }
            Issue.record("the time in which it waits for its turn counts")
        }

        /// Returns whether a call gets its response although it is queued for longer than its timeouts.
        private func getsResponseBehindAnother() async throws -> Bool {
            let transport = try CurlTransport(
                .with {
                    $0.connections.perOrigin = 1
                    ($0.timeouts.connect, $0.timeouts.firstByte) = (Self.limit, Self.limit)
                }
            )
            let silent = try SilentPort()
            return try await LoopbackServer.run(["GET fine": .text("fine")]) { server async throws in
                // Its body yields no bytes, so no timeout applies to it.
                let (bytes, continuation) = AsyncStream.makeStream(of: Data.self)
                let put = HTTPRequest(method: .put, url: server.url.appending(path: "it"), body: HTTPBody(bytes))
                let first = Task { try await transport.send(put) }
                while server.acceptedConnections == 0 { await Task.yield() }
                let second = Task { try await transport.get(server.url.appending(path: "fine")).text }
                let slower = try CurlTransport(.with { $0.timeouts.total = Self.limit * 2 })
                #expect(await slower.failure(try silent.url("http"))?.timeout == .total)
                first.cancel()
                _ = await first.result
                continuation.finish()
                do {
                    #expect(try await second.value == "fine")
                    return true
                } catch let error as TransportError {
                    guard error.kind == .timedOut else { throw error }
                    return false
                }
            }
        }

        @Test(
            "Queued time and paused time count against the total timeout",
            arguments: [true, false]
        )
        func waitsForTooLong(isHeldBack: Bool) async throws {
            let session = try CurlSession(
                .with {
                    $0.connections.perOrigin = 1
                    $0.timeouts.total = Self.limit
                }
            )
            let silent = try SilentPort()
            let request = HTTPRequest(method: .get, url: try silent.url("http"))
            let ahead = CurlTransfer(try CurlRequest(request), in: session)
            let control = TransferControl()
            control.pause()
            let late = CurlTransfer(try CurlRequest(request, TransferOptions(control: control)), in: session)
            // The limit is the same for all calls, so a call can only expire in the queue behind one that started
            // earlier. Here both start at the same time, with the first one paused.
            let now = ContinuousTime.now
            for transfer in [late, ahead] { session.start(transfer, at: now) }
            if !isHeldBack { control.resume() }
            let error = await #expect(throws: TransportError.self) { try await late.head() }
            #expect(error?.timeout == .total)
            #expect(error?.phase == .queued)
            let text = "127.0.0.1:\(silent.port) took longer than \(Self.limit.shown), while waiting in the queue"
            #expect(error?.message == text)
            await #expect(throws: TransportError.self) { try await ahead.head() }
        }

        @Test("A request rejected by libcurl does not block the queue")
        func rejectedInLine() async throws {
            let session = try CurlSession(.with { $0.connections.perOrigin = 1 })
            try await LoopbackServer.run(["GET fine": .text("fine")]) { server async throws in
                let origin = server.url.absoluteString.lowercased()
                func transfer(_ method: HTTPRequest.Method, _ path: String, _ body: HTTPBody? = nil) throws
                    -> CurlTransfer
                {
                    let url = try #require(URL(string: origin + (origin.hasSuffix("/") ? "" : "/") + path))
                    return CurlTransfer(try CurlRequest(HTTPRequest(method: method, url: url, body: body)), in: session)
                }
                // Its body never yields any bytes.
                let (bytes, continuation) = AsyncStream.makeStream(of: Data.self)
                let first = try transfer(.put, "first", HTTPBody(bytes))
                // A method longer than libcurl accepts.
                let method = try #require(HTTPRequest.Method(String(repeating: "X", count: 8_000_001)))
                let long = try transfer(method, "fine").request
                let rejected = (0..<20).map { _ in CurlTransfer(long, in: session) }
                let last = try transfer(.get, "fine")
                for transfer in [first] + rejected + [last] { session.start(transfer) }
                first.stop(TransportError(.cancelled))
                for transfer in rejected {
                    let error = await #expect(throws: TransportError.self) { try await transfer.head() }
                    #expect(error?.kind == .unsupportedRequest)
                }
                #expect(String(decoding: try await last.head(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
                last.abandon()
                continuation.finish()
            }
        }
    }
#endif
