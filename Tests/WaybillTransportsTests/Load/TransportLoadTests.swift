import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: load", .largeInTurn, .safetyNet)
struct TransportLoadTests {
    @Test("A transport gives each of 1,000 concurrent calls its own response", arguments: Carrier.allCases)
    func concurrent(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
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
            let opensMore = carrier.deviations.contains(.opensFurtherConnections)
            #expect(server.acceptedConnections <= (opensMore ? 1000 : 128))
        }
    }

    @Test(
        "A transport opens no more connections than configured, whatever the number of requests",
        arguments: Carrier.allCases
    )
    func limited(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(callsPerOrigin: 4))
        try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
            let url = server.url.appending(path: "it")
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await transport.text(.get, url) } }
                for try await text in group { #expect(text == "fine") }
            }
            #expect(server.acceptedConnections <= 4)
        }
    }

    @Test(
        "A transport delivers 20 MB to a slow reader",
        arguments: [false, true],
        Carrier.allCases
    )
    func slowReader(isChunked: Bool, _ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(bufferedBytes: 10_000))
        let bytes = Data.sample(count: 20_000_000)
        let stubbed = isChunked ? StubResponse.bytes(bytes).chunked(bytes: 50_000) : .bytes(bytes)
        try await LoopbackServer.run(["GET it": .response(stubbed)]) { server async throws in
            let url = server.url.appending(path: "it")
            let response = try await transport.send(HTTPRequest(method: .get, url: url))
            if !isChunked { #expect(response.body.length == bytes.count) }
            var collected = Data()
            for try await chunk in response.body {
                collected.append(chunk)
                for _ in 0..<20 { await Task.yield() }
            }
            #expect(collected == bytes)
        }
    }
}
