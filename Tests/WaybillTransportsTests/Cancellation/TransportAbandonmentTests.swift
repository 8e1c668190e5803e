import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: abandoned responses", .inTurn, .safetyNet)
struct TransportAbandonmentTests {
    /// Responses that never complete.
    ///
    /// A complete response leaves nothing to stop, and its connection stays open for the next request.
    static let unfinished: [StubResponse] = [
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", closing: false),
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", closing: false),
        .bytes(Data(count: 1_000_000)).dripped(bytes: 1, every: .milliseconds(1)),
    ]

    struct Row: Sendable {
        let stubbed: StubResponse
        let chunksRead: Int
    }

    @Test(
        "A transport closes the connection if a response is dropped before its body ends",
        arguments: unfinished.flatMap { [Row(stubbed: $0, chunksRead: 0), Row(stubbed: $0, chunksRead: 1)] },
        Carrier.allCases
    )
    func dropped(_ row: Row, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let responses: StubResponses = ["GET it": .response(row.stubbed), "GET fine": .text("fine")]
        try await LoopbackServer.run(responses) { server async throws in
            let url = server.url.appending(path: "it")
            var response: HTTPResponse? = try await transport.send(HTTPRequest(method: .get, url: url))
            #expect(response?.status == 200)
            var iterator = response?.body.makeAsyncIterator()
            for _ in 0..<row.chunksRead { #expect(try await iterator?.next()?.isEmpty == false) }
            response = nil
            iterator = nil
            await server.waitForOpenConnections(atMost: 0)
            try await transport.expectWorks(server)
        }
    }

    @Test(
        "A transfer continues as long as its body's iterator exists, even if the transport is gone",
        arguments: Carrier.allCases
    )
    func keptByIterator(_ carrier: Carrier) async throws {
        let gate = Gate()
        try await LoopbackServer.run(["GET it": .text("a body").bodyHeld(by: gate)]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            var iterator = try await carrier.transport().send(request).body.makeAsyncIterator()
            gate.open()
            var bytes = Data()
            while let chunk = try await iterator.next() { bytes += chunk }
            #expect(bytes == Data("a body".utf8))
        }
    }
}
