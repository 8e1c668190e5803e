import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Stream timers", .inTurn, .safetyNet)
struct StreamTimerTests {
    /// A clock that records its sleeps.
    private struct NotingClock: Clock {
        let manual = ManualClock()
        let sleeps = Notes<ManualClock.Instant>()

        var now: ManualClock.Instant { manual.now }
        var minimumResolution: Swift.Duration { manual.minimumResolution }

        func sleep(until deadline: ManualClock.Instant, tolerance: Swift.Duration?) async throws {
            sleeps.add(deadline)
            try await manual.sleep(until: deadline, tolerance: tolerance)
        }
    }

    private struct BodyTransport: Transport {
        let body: HTTPBody

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            HTTPResponse(status: 200, headerFields: [], body: body)
        }
    }

    private let clock = NotingClock()
    private let chunks = Chunks(Data.sample(count: 10_000), size: 100)

    private func stream(_ body: HTTPBody) async throws -> ByteStream {
        let client = Client(Shop.url, transport: BodyTransport(body: body), clock: clock) { Timeout(.seconds(30)) }
        let file: Endpoint<Data> = client.endpoint { GET("it") }
        return try await file.bytes()
    }

    @Test("A stream with a Timeout uses one timer for all its reads, and none after its end")
    func one() async throws {
        let stream = try await stream(HTTPBody(chunks))
        var received = Data()
        for try await chunk in stream { received += chunk }
        #expect(received == Data.sample(count: 10_000))
        await waitUntil { clock.manual.deadlines.isEmpty }
        // One for the head, and one for the body.
        #expect(clock.sleeps.all.count <= 2)
        _ = stream
    }

    @Test("An abandoned stream has no timer")
    func left() async throws {
        for try await _ in try await stream(HTTPBody(chunks)) { break }
        await waitUntil { clock.manual.deadlines.isEmpty }
    }

    @Test("A read after the Timeout fails even if bytes are available, and the stream has ended")
    func late() async throws {
        var iterator = try await stream(HTTPBody(chunks)).makeAsyncIterator()
        #expect(try await iterator.next() == chunks.chunks.first)
        clock.manual.advance(by: .seconds(30))
        let error = await #expect(throws: APIError.self) { try await iterator.next() }
        guard case .timeout(let failure)? = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(failure.limit == .seconds(30))
        #expect(try await iterator.next() == nil)
    }

    @Test("Cancelling the task ends a pending read of a stream with a Timeout")
    func cancelled() async throws {
        let (silent, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        defer { source.finish() }
        let stream = try await stream(HTTPBody(silent))
        let task = Task {
            var iterator = stream.makeAsyncIterator()
            return try await iterator.next()
        }
        await clock.manual.waitForSleepers(count: 1)
        task.cancel()
        let error = await #expect(throws: APIError.self) { try await task.value }
        guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
}
