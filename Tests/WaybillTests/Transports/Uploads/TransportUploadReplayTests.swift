import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Transports, uploads over a kept connection that is closed", .timeLimit(.minutes(5)))
struct TransportUploadReplayTests {
    /// The second request is read, and its connection closed in place of an answer.
    private static let losesSecond = Answers().otherwise(
        .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")])
    )

    @Test(
        "sends a body that can be read again a second time, intact",
        arguments: [
            HTTPBody(Data("one two three".utf8)),
            HTTPBody(Data.sample(count: 200_000)),
            HTTPBody(Chunks("one ", "two ", "three"), isReplayable: true),
            HTTPBody(Chunks("one ", "two ", "three"), length: 13, isReplayable: true),
            HTTPBody(Chunks(Data.sample(count: 2_000_000), size: 70_001), isReplayable: true),
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
        "sends no second time what could have another effect, or cannot be read again",
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
