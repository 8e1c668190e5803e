import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// After a status line claims HTTP/2 on an HTTP/1.1 connection, requests must not share connections.
@Suite("Transports: mismatched HTTP versions", .inTurn, .safetyNet)
struct TransportVersionMismatchTests {
    private static let lies = [
        "HTTP/2 200 OK\r\nContent-Length: 3\r\n\r\nlie",
        "HTTP/200 OK\r\nContent-Length: 3\r\n\r\nlie",
        "HTTP/3 200 OK\r\nContent-Length: 3\r\n\r\nlie",
    ]

    @Test(
        "After a response claims another version, requests do not share a connection",
        arguments: lies,
        Carrier.without(.believesVersions)
    )
    func sharesNothing(lie: String, carrier: Carrier) async throws {
        let gate = Gate()
        let responses: StubResponses = [
            "GET held": .text("held").held(by: gate),
            "GET lie": .raw(Array(lie.utf8)),
            "GET good": .text("fine"),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let transport = try carrier.transport()
            async let held = transport.text(.get, server.url.appending(path: "held"))
            await server.waitForRequests(count: 1)
            for _ in 0..<2 {
                let error = await #expect(throws: TransportError.self) {
                    try await transport.text(.get, server.url.appending(path: "lie"))
                }
                #expect(error?.kind == .invalidResponse)
                #expect(try await transport.text(.get, server.url.appending(path: "good")) == "fine")
            }
            gate.open()
            #expect(try await held == "held")
            let ofHeld = server.requests.first { $0.path == "/held" }?.wire?.connection
            #expect(!server.requests.contains { $0.path != "/held" && $0.wire?.connection == ofHeld })
        }
    }
}
