import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Reconnection of event streams", .timeLimit(.minutes(5)))
struct EventReconnectionTests {
    private static let failure: StubResponse = .failure(TransportError(.cannotConnect, "no route"))

    private static func client(_ responses: [StubResponse], _ clock: ManualClock) -> (Client, StubTransport) {
        let stub = StubTransport(["GET it": .sequence(responses), "POST it": .sequence(responses)])
        return (Client(Shop.url, transport: stub, clock: clock), stub)
    }

    private static func read(_ endpoint: Endpoint<Events<String>>) async -> (events: [String], error: APIError?) {
        var received: [String] = []
        do throws(APIError) {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() { received.append(event.data) }
            return (received, nil)
        } catch {
            return (received, error)
        }
    }

    /// Returns the waits before the requests that follow the first one.
    private static func waits(
        _ responses: [StubResponse],
        count: Int? = nil
    ) async -> [Duration] {
        let clock = ManualClock()
        let (client, _) = client(responses, clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }
        async let read = read(endpoint)
        var waits: [Duration] = []
        for _ in 0..<(count ?? responses.count - 1) { waits.append(await clock.advanceToNextDeadline()) }
        _ = await read
        return waits
    }

    @Test("While no connection comes about, the wait doubles up to a minute, and begins again with the next one")
    func backOff() async {
        let failures = Array(repeating: Self.failure, count: 6)
        let seconds: [Duration] = [3, 6, 12, 24, 48, 60, 60].map { .seconds($0) }
        #expect(
            await Self.waits([.events("data: a\n\n")] + failures + [.events("data: b\n\n"), .status(204)])
                == seconds + [.seconds(3)]
        )
    }

    @Test("A server that asks for no time gets a request at once, and after failures only with waits between")
    func noTime() async {
        let failures = Array(repeating: Self.failure, count: 3)
        // The first wait, of no time, needs no clock.
        let waits = await Self.waits([.events("retry: 0\ndata: a\n\n")] + failures + [.status(204)], count: 3)
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test("A POST with a declared Reconnection is sent again, with the last id")
    func post() async throws {
        let clock = ManualClock()
        let (client, stub) = Self.client([.events("id: 7\ndata: a\n\n"), .events("data: b\n\n"), .status(204)], clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            POST("it")
            Reconnection(after: .seconds(1))
        }
        async let read = Self.read(endpoint)
        #expect(await clock.advanceToNextDeadline() == .seconds(1))
        #expect(await clock.advanceToNextDeadline() == .seconds(1))
        #expect(await read.events == ["a", "b"])
        #expect(stub.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, "7", "7"])
    }

    @Test("A failed status, or another media type, on reconnecting is an error, and no other request follows")
    func rejected() async throws {
        for response in [StubResponse.status(401), .status(500), .json("{}")] {
            let clock = ManualClock()
            let (client, stub) = Self.client([.events("data: a\n\n"), response], clock)
            let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }
            async let read = Self.read(endpoint)
            await clock.advanceToNextDeadline()
            let (events, error) = await read
            #expect(events == ["a"])
            switch error {
            case .status?, .decoding?: break
            default: unexpected(error)
            }
            #expect(stub.requests.count == 2)
        }
    }

    @Test("A task that is cancelled while it waits for another connection gets an error, and sends nothing more")
    func cancelled() async throws {
        let clock = ManualClock()
        let (client, stub) = Self.client([.events("data: a\n\n")], clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }
        let task = Task { await Self.read(endpoint) }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        let (events, error) = await task.value
        #expect(events == ["a"])
        guard case .cancelled? = error else { return unexpected(error) }
        #expect(stub.requests.count == 1)
    }

    @Test("The Timeout of a call holds for each connection of its own")
    func timeout() async throws {
        let clock = ManualClock()
        let (client, _) = Self.client([.events("data: a\n\n"), .events("data: b\n\n").bodyNever()], clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            GET("it")
            Timeout(.seconds(30))
        }
        async let read = Self.read(endpoint)
        // While a connection is read its limit sleeps, too.
        for end in [Duration.seconds(3), .seconds(33)] {
            await waitUntil { clock.deadlines.map(\.offset) == [end] }
            clock.advance(by: end - clock.now.offset)
        }
        let (events, error) = await read
        #expect(events == ["a"])
        guard case .timeout? = error else { return unexpected(error) }
    }
}
