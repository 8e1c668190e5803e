#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillTesting
    import WaybillCurl

    /// A response that arrives on an idle connection before libcurl waits for it, and that is paused at once.
    @Suite("CurlTransport: paused bodies over persistent connections", .inTurn, .safetyNet)
    struct TransportPausedReuseTests {
        private static let count = Thoroughness.repetitions(200, otherwise: 10)

        @Test("A body that is paused at once on a persistent connection arrives complete")
        func paused() async throws {
            let bytes = Data.sample(count: 1_500_000)
            let responses: StubResponses = ["GET small": .text("fine"), "GET large": .bytes(bytes)]
            try await LoopbackServer.run(responses) { server async throws in
                let transport = try CurlTransport(.with { _ in })
                // With threads competing for the processors, the server responds before libcurl waits for it.
                let isOver = Notes<Bool>()
                for _ in 0..<Thoroughness.repetitions(4, otherwise: 1) {
                    Thread.detachNewThread { while isOver.all.isEmpty {} }
                }
                defer { isOver.add(true) }
                for _ in 0..<Self.count {
                    #expect(try await transport.get(server.url.appending(path: "small")).text == "fine")
                    let request = HTTPRequest(method: .get, url: server.url.appending(path: "large"))
                    var received = 0
                    for try await chunk in try await transport.send(request).body {
                        received += chunk.count
                        for _ in 0..<3 { await Task.yield() }
                    }
                    #expect(received == bytes.count)
                }
            }
        }
    }
#endif
