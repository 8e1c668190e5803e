import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTransfers

@testable import WaybillTesting

@Suite("Backpressure of element streams", .largeInTurn, .safetyNet)
struct ElementBackpressureTests {
    struct Item: Decodable, Sendable { let id: Int }

    /// A list with far more bytes between its elements than the system's connection buffers can hold.
    private static let list =
        Data(#"[{"id":1},"#.utf8) + Data(repeating: UInt8(ascii: " "), count: 14_000_000) + Data(#"{"id":2}]"#.utf8)

    @Test(
        "A paused loop stops the server",
        arguments: Carrier.without(.buffersWithoutBound)
    )
    func stopped(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(bufferedBytes: 10_000, allowsSilence: true))
        let responses: StubResponses = ["GET items": .bytes(Self.list).closing(), "GET fine": .text("fine")]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint: Endpoint<[Item]> = Client(server.url, transport: transport).endpoint { GET("items") }
            var items = try await endpoint.stream().makeAsyncIterator()
            let first = try await items.next()
            #expect(first?.id == 1)
            for _ in 0..<Thoroughness.repetitions(200, otherwise: 50) { try await transport.expectWorks(server) }
            // The server closes the connection after its response, so it has not sent all of it yet.
            #expect(server.openConnections == 2)
            var rest: [Int] = []
            while let item = try await items.next() { rest.append(item.id) }
            #expect(rest == [2])
        }
    }
}
