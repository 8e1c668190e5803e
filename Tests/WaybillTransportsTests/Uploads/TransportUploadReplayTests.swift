import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: uploads over a persistent connection that is closed", .inTurn, .safetyNet)
struct TransportUploadReplayTests {
    /// Responses that close the connection after the second request instead of answering it.
    private static let losesSecond = StubResponses().otherwise(
        .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")])
    )

    @Test(
        "A transport sends a replayable body again if the persistent connection is closed",
        arguments: [
            HTTPBody(Data("one two three".utf8)),
            HTTPBody(Data.sample(count: 200_000)),
            HTTPBody(Chunks("one ", "two ", "three"), isReplayable: true),
            HTTPBody(Chunks("one ", "two ", "three"), length: 13, isReplayable: true),
            HTTPBody(Chunks(Data.sample(count: 2_000_000), size: 70_001), isReplayable: true),
            HTTPBody(length: 300_000) { Chunks(Data(Data.sample(count: 300_000).dropFirst($0)), size: 70_001) },
        ],
        Carrier.allCases
    )
    func replayed(_ body: HTTPBody, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let bytes = try await body.collect()
        try await LoopbackServer.run(Self.losesSecond) { server async throws in
            #expect(try await transport.text(.put, server.url, HTTPBody()) == "fine")
            if carrier.deviations.contains(.repeatsNothing) {
                let error = await #expect(throws: TransportError.self) {
                    try await transport.text(.put, server.url, body)
                }
                #expect(error?.kind == .connectionLost)
                #expect(server.requests.map(\.body) == [Data(), bytes])
            } else {
                #expect(try await transport.text(.put, server.url, body) == "fine")
                #expect(server.requests.map(\.body) == [Data(), bytes, bytes])
            }
        }
    }

    struct Row: Sendable {
        let method: HTTPRequest.Method
        let body: HTTPBody

        init(_ method: HTTPRequest.Method, _ body: HTTPBody) { (self.method, self.body) = (method, body) }
    }

    @Test(
        "A transport does not send a POST, a PATCH or a non-replayable body twice",
        arguments: [
            Row(.post, HTTPBody(Data("one two three".utf8))),
            Row(.post, HTTPBody(Data.sample(count: 200_000))),
            Row(.post, HTTPBody(Chunks("one ", "two ", "three"), isReplayable: true)),
            Row(.patch, HTTPBody(Chunks("one ", "two ", "three"), isReplayable: true)),
            Row(.post, HTTPBody(Chunks("one ", "two ", "three"))),
            Row(.put, HTTPBody(Chunks("one ", "two ", "three"))),
        ],
        Carrier.allCases
    )
    func notReplayed(_ row: Row, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let bytes = try await row.body.collect()
        try await LoopbackServer.run(Self.losesSecond) { server async throws in
            #expect(try await transport.text(row.method, server.url, HTTPBody()) == "fine")
            let error = await #expect(throws: TransportError.self) {
                try await transport.text(row.method, server.url, row.body)
            }
            #expect(error?.kind == .connectionLost)
            #expect(server.requests.map(\.body) == [Data(), bytes])
            #expect(try await transport.text(row.method, server.url, HTTPBody()) == "fine")
        }
    }
}
