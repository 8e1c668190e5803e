import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: pausing of uploads", .largeInTurn, .safetyNet)
struct TransportUploadPauseTests {
    @Test(
        "A transport stops sending a paused upload until it is resumed",
        arguments: Carrier.without(.pausesUnsentOnly)
    )
    func paused(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let bytes = Data.sample(count: 20_000_000)
        let control = TransferControl()
        try await LoopbackServer.run(["POST it": .text("fine")]) { server async throws in
            let request = HTTPRequest(
                method: .post,
                url: server.url.appending(path: "it"),
                body: HTTPBody(PausingChunks(bytes: bytes, control: control), length: bytes.count)
            )
            let options = TransferOptions(control: control)
            async let text = transport.send(request, options: options).body.collect()
            for await progress in control.progress where progress.bytesSent >= 1_000_000 { break }
            while !control.isPaused { await Task.yield() }
            // The transport handles the pause on its own thread.
            var count = -1
            while let newest = await newest(control), newest != count {
                count = newest
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(count < 20_000_000 && server.requestCount == 0)
            control.resume()
            #expect(try await text == Data("fine".utf8))
            #expect(await newest(control) == 20_000_000)
            #expect(server.requests.map(\.body) == [bytes])
        }
    }

    private func newest(_ control: TransferControl) async -> Int? {
        var progress = control.progress.makeAsyncIterator()
        return await progress.next()?.bytesSent
    }

    /// The chunks of a body that pauses its own transfer.
    private struct PausingChunks: AsyncSequence, Sendable {
        typealias Element = Data

        let bytes: Data
        let control: TransferControl

        struct Iterator: AsyncIteratorProtocol {
            var chunks: Chunks.AsyncIterator
            let control: TransferControl
            var count = 0

            mutating func next() async throws -> Data? {
                count += 1
                if count == 20 { control.pause() }
                return try await chunks.next()
            }
        }

        func makeAsyncIterator() -> Iterator {
            Iterator(chunks: Chunks(bytes, size: 100_000).makeAsyncIterator(), control: control)
        }
    }
}
