import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Call progress", .inTurn, .safetyNet)
struct TransferProgressTests {
    private func all(_ control: TransferControl) async -> [TransferControl.Progress] {
        var all: [TransferControl.Progress] = []
        for await progress in control.progress { all.append(progress) }
        return all
    }

    @Test("Upload progress grows to the body's length and ends with the call", arguments: Carrier.allCases)
    func uploads(_ carrier: Carrier) async throws {
        let bytes = Data.sample(count: 3_000_000)
        try await LoopbackServer.run(["POST it": .bytes(bytes.prefix(70_000))]) { server async throws in
            let client = Client(server.url, transport: try carrier.transport())
            for body in [HTTPBody(bytes), HTTPBody(Chunks(bytes, size: 50_001), length: bytes.count)] {
                let endpoint: Endpoint<Data> = client.endpoint {
                    POST("it")
                    Body(body, contentType: "a/b")
                }
                let control = TransferControl()
                async let response = endpoint.send(controlledBy: control)
                let progress = await all(control)
                #expect(try await response.count == 70_000)
                let sent = progress.map(\.bytesSent)
                #expect(sent == sent.sorted() && sent.last == 3_000_000)
                #expect(progress.allSatisfy { $0.attempt == 1 && $0.bytesExpectedToSend == 3_000_000 })
                let last = try #require(progress.last)
                #expect(last.bytesReceived == 70_000 && last.bytesExpectedToReceive == 70_000)
                #expect(last.fractionSent == 1 && last.fractionReceived == 1)
            }
        }
    }

    @Test("A small or empty body also has progress", arguments: Carrier.allCases)
    func small(_ carrier: Carrier) async throws {
        try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
            let client = Client(server.url, transport: try carrier.transport())
            for count in [0, 5] {
                let control = TransferControl()
                let endpoint: Endpoint<Data> = client.endpoint {
                    POST("it")
                    Body(Data(repeating: 1, count: count), contentType: "a/b")
                    Control(with: control)
                }
                _ = try await endpoint.send()
                let last = try #require(await all(control).last)
                #expect(last.bytesSent == count && last.bytesExpectedToSend == count && last.fractionSent == 1)
                #expect(last.bytesReceived == 4 && last.bytesExpectedToReceive == 4)
            }
        }
    }

    @Test("Progress has no fraction if the length is unknown or the body is decoded", arguments: Carrier.allCases)
    func unknown(_ carrier: Carrier) async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA0vLzEsFAJGTy0MEAAAA"))
        let responses: StubResponses = ["POST it": .bytes(gzip).header("Content-Encoding", "gzip")]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: try carrier.transport())
            let control = TransferControl()
            let endpoint: Endpoint<Data> = client.endpoint {
                POST("it")
                Body(HTTPBody(Chunks("one", "two")), contentType: "a/b")
            }
            _ = try? await endpoint.send(controlledBy: control)
            let last = try #require(await all(control).last)
            #expect(last.bytesExpectedToSend == nil && last.fractionSent == nil && last.bytesSent == 6)
            #expect(last.bytesExpectedToReceive == nil && last.fractionReceived == nil && last.bytesReceived > 0)
        }
    }

    @Test("Progress restarts at zero for a retry and a redirect, and contains the attempt number")
    func attempts() async throws {
        #if os(Linux)
            let bytes = Data.sample(count: 300_000)
            let (control, gate) = (TransferControl(), Gate())
            let responses: StubResponses = [
                "PUT a": .sequence([.status(503), .redirect(to: "/b", status: 307)]),
                "PUT b": .status(204).held(by: gate),
            ]
            try await LoopbackServer.run(responses) { server async throws in
                let client = Client(server.url, transport: try Carrier.libcurl.transport(), clock: SkippingClock()) {
                    Retry()
                }
                let endpoint: Endpoint<Void> = client.endpoint {
                    PUT("a")
                    Body(HTTPBody(bytes), contentType: "a/b")
                }
                async let sent: Void = endpoint.send(controlledBy: control)
                var seen: [TransferControl.Progress] = []
                for await progress in control.progress {
                    seen.append(progress)
                    if progress.attempt == 2, progress.bytesSent == 300_000 { gate.open() }
                }
                try await sent
                #expect(seen.last?.attempt == 2 && seen.last?.bytesSent == 300_000)
                #expect(seen.allSatisfy { $0.bytesSent <= 300_000 })
                #expect(server.requestCount == 3)
            }
        #endif
    }

    @Test("Progress ends if a call fails, is cancelled, or has a declaration error")
    func failures() async throws {
        let stub = StubTransport(["GET a": .status(404)])
        let client = Client(Shop.url, transport: stub)
        let control = TransferControl()
        let failing: Endpoint<Void> = client.endpoint { GET("a") }
        _ = await failure { try await failing.send(controlledBy: control) }
        #expect(await all(control).count <= 1)

        let wrong: Endpoint<Void> = client.endpoint { GET("\("")") }
        let other = TransferControl()
        _ = await failure { try await wrong.send(controlledBy: other) }
        #expect(await all(other).isEmpty)
        let declared = TransferControl()
        _ = await failure { try await wrong.with { Control(with: declared) }.send() }
        #expect(await all(declared).isEmpty)

        let cancelled = TransferControl()
        let call = Task { try await failing.send(controlledBy: cancelled) }
        call.cancel()
        _ = await call.result
        #expect(await all(cancelled).count <= 1)
    }

    @Test("A loop over progress ends when its task is cancelled before a call")
    func cancelledLoop() async throws {
        let control = TransferControl()
        let loop = Task { await all(control).count }
        await Task.yield()
        loop.cancel()
        #expect(await loop.value == 0)
    }

    @Test("A slow loop receives only the latest progress", arguments: Carrier.allCases)
    func newest(_ carrier: Carrier) async throws {
        let bytes = Data.sample(count: 2_000_000)
        try await LoopbackServer.run(["GET it": .bytes(bytes)]) { server async throws in
            let endpoint: Endpoint<Data> = Client(server.url, transport: try carrier.transport()).endpoint {
                GET("it")
            }
            let control = TransferControl()
            var progress = control.progress.makeAsyncIterator()
            #expect(try await endpoint.send(controlledBy: control).count == 2_000_000)
            #expect(await progress.next()?.bytesReceived == 2_000_000)
            #expect(await progress.next() == nil)
        }
    }

    @Test("Two loops each receive a call's progress", arguments: Carrier.allCases)
    func loops(_ carrier: Carrier) async throws {
        try await LoopbackServer.run(["GET it": .bytes(Data.sample(count: 500_000))]) { server async throws in
            let endpoint: Endpoint<Data> = Client(server.url, transport: try carrier.transport()).endpoint {
                GET("it")
            }
            let control = TransferControl()
            async let first = all(control)
            async let second = all(control)
            _ = try await endpoint.send(controlledBy: control)
            #expect(await first.last?.bytesReceived == 500_000)
            #expect(await second.last?.bytesReceived == 500_000)
        }
    }

    @Test("A request without a client has progress that ends with the response", arguments: Carrier.allCases)
    func withoutClient(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET it": .bytes(Data.sample(count: 500_000))]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let control = TransferControl()
            let options = TransferOptions(control: control)
            #expect(try await transport.send(request, options: options).body.collect().count == 500_000)
            #expect(await all(control).last?.bytesReceived == 500_000)
        }
    }
}
