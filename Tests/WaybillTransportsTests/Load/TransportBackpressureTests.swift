import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill

@testable import WaybillTesting

@Suite("Transports: backpressure", .largeInTurn, .safetyNet)
struct TransportBackpressureTests {
    /// Many times more bytes than the system buffers for a connection.
    private static let count = Thoroughness.repetitions(28_000_000, otherwise: 20_000_000)

    /// Gives a transport every chance to continue, by repeating other calls.
    private func busy(_ transport: any Transport, _ server: LoopbackServer) async throws {
        for _ in 0..<500 { try await transport.expectWorks(server) }
    }

    @Test(
        "A transport stops reading from the server while the body is not being read",
        arguments: Carrier.without(.buffersWithoutBound)
    )
    func response(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(bufferedBytes: 10_000, allowsSilence: true))
        let bytes = Data.sample(count: Self.count)
        let responses: StubResponses = ["GET it": .bytes(bytes).closing(), "GET fine": .text("fine")]
        try await LoopbackServer.run(responses) { server async throws in
            let url = server.url.appending(path: "it")
            let response = try await transport.send(HTTPRequest(method: .get, url: url))
            try await busy(transport, server)
            // The server closes the connection after its response, and has not sent all of it yet.
            #expect(server.openConnections == 2)
            #expect(try await response.body.collect() == bytes)
        }
    }

    @Test(
        "A transport stops reading an upload that the server does not read, and releases it when cancelled",
        arguments: [nil, count],
        Carrier.without(.collectsUploads)
    )
    func upload(length: Int?, _ carrier: Carrier) async throws {
        // The system accepts connections and buffers some of their bytes, which are never read.
        let (socket, port) = try Socket.listening()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/it"))
        try await LoopbackServer.run(["GET fine": .text("fine")]) { server async throws in
            let transport = try carrier.transport(Carrier.Settings(allowsSilence: true))
            let taken = Monitor(0)
            let ended = Gate()
            let chunks = Watched(bytes: Data.sample(count: Self.count), taken: taken, ended: ended)
            let call = Task { try await transport.text(.put, url, HTTPBody(chunks, length: length)) }
            try await busy(transport, server)
            #expect(taken.current > 0)
            #expect(taken.current < Self.count)
            call.cancel()
            let error = await #expect(throws: TransportError.self) { try await call.value }
            #expect(error?.kind == .cancelled)
            await ended.waitUntilOpen()
        }
        withExtendedLifetime(socket) {}
    }

    /// A body that counts the bytes read from it.
    private struct Watched: AsyncSequence, Sendable {
        let bytes: Data
        let taken: Monitor<Int>
        let ended: Gate

        final class AsyncIterator: AsyncIteratorProtocol {
            private let watched: Watched

            init(_ watched: Watched) { self.watched = watched }

            deinit { watched.ended.open() }

            func next() async -> Data? {
                watched.taken.update { taken in
                    defer { taken += 100_000 }
                    return taken < watched.bytes.count ? watched.bytes[taken..<taken + 100_000] : nil
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}
