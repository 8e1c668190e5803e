import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting
import WaybillTransfers

@Suite("Reconnection of event streams", .inTurn, .safetyNet)
struct EventReconnectionTests {
    private static let failure: StubResponse = .failure(TransportError(.cannotConnect, "no route"))

    private static func client(_ responses: [StubResponse], _ clock: ManualClock) -> (Client, StubTransport) {
        let stub = StubTransport(["GET it": .sequence(responses), "POST it": .sequence(responses)], clock: clock)
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

    /// Returns the delays before each request after the first.
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

    @Test("Failed connections double the delay up to a minute, and a successful one resets it")
    func backOff() async {
        let failures = Array(repeating: Self.failure, count: 6)
        let seconds: [Duration] = [3, 6, 12, 24, 48, 60, 60].map { .seconds($0) }
        #expect(
            await Self.waits([.events("data: a\n\n")] + failures + [.events("data: b\n\n"), .status(204)])
                == seconds + [.seconds(3)]
        )
    }

    /// The texts of connections that end, and the delay in milliseconds after each.
    static let timeRows: [(texts: [String], waits: [Int])] = [
        (["retry: 0\ndata: a\n\n", "data: b\n\n", "data: c\n\n"], [100, 100, 100]),
        (
            ["retry: 0\n\n", "", "", "", "", "", "", "", ""],
            [100, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]
        ),
        (["retry: 0\n\n", ":\n", "id: 7\n\n", "data: a\n\n", "", ""], [100, 1000, 2000, 100, 1000, 2000]),
        (["", "", ""], [3000, 6000, 12_000]),
        (["retry: 250\ndata: a\n\n", "retry: 50\ndata: b\n\n"], [250, 100]),
        (["retry: 300000\ndata: a\n\n", "retry: 300001\ndata: b\n\n", ""], [300_000, 300_000, 300_000]),
        (["retry: 9223372036854775807\ndata: a\n\n"], [300_000]),
        (["retry: 99999999999999999999\ndata: a\n\n"], [300_000]),
    ]

    @Test(
        "The server's delay is limited to 100 ms through 5 min, and doubles after connections without events",
        arguments: timeRows
    )
    func times(_ row: (texts: [String], waits: [Int])) async {
        let waits = await Self.waits(row.texts.map { .events($0) } + [.status(204)])
        #expect(waits == row.waits.map { .milliseconds($0) })
    }

    @Test("If the server requests no delay, failed connections still lead to growing delays")
    func noTime() async {
        let failures = Array(repeating: Self.failure, count: 3)
        let waits = await Self.waits([.events("retry: 0\ndata: a\n\n")] + failures + [.status(204)])
        #expect(waits == [.milliseconds(100), .seconds(1), .seconds(2), .seconds(4)])
    }

    @Test("A connection without events that stays open longer than the delay does not increase the delay")
    func idle() async {
        for (open, waits) in [(Duration.seconds(3), [3, 3, 3, 3]), (.seconds(2), [3, 6, 12, 24])] {
            let idle = StubResponse.events(":\n\n").bodyDelayed(open)
            let connections = Array(repeating: idle, count: 4) + [.status(204)]
            let expected = waits.flatMap { [open, .seconds($0)] }
            #expect(await Self.waits(connections, count: expected.count) == expected)
        }
    }

    @Test("An ID with a control character is ignored, and the previous ID is sent", arguments: 0..<32 as Range<UInt8>)
    func controlCharacters(_ byte: UInt8) async {
        // CR and LF end the line.
        guard byte != 0x0A, byte != 0x0D else { return }
        let character = Character(UnicodeScalar(byte == 0x1F ? 0x7F : byte))
        let clock = ManualClock()
        let (client, stub) = Self.client(
            [.events("id: 7\ndata: a\n\nid: 8\(character)8\ndata: b\n\n"), .status(204)],
            clock
        )
        let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }
        async let read = Self.read(endpoint)
        await clock.advanceToNextDeadline()
        let (events, error) = await read
        #expect(events == ["a", "b"])
        #expect(error == nil)
        let isTab = character == "\t"
        #expect(stub.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, isTab ? "8\t8" : "7"])
    }

    @Test("A POST with declared reconnection is repeated with the last ID")
    func post() async throws {
        let clock = ManualClock()
        let (client, stub) = Self.client([.events("id: 7\ndata: a\n\n"), .events("data: b\n\n"), .status(204)], clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            POST("it")
            Events.Reconnection(after: .seconds(1))
        }
        async let read = Self.read(endpoint)
        #expect(await clock.advanceToNextDeadline() == .seconds(1))
        #expect(await clock.advanceToNextDeadline() == .seconds(1))
        #expect(await read.events == ["a", "b"])
        #expect(stub.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, "7", "7"])
    }

    @Test("A failed status or another media type on reconnection is an error and ends reconnecting")
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

    @Test("A task cancelled before a reconnection throws and sends no further request")
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

    /// The kinds of transport errors that lead to a reconnection.
    static let transientKinds: Set<TransportError.Kind> = [
        .notConnected, .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut,
    ]

    /// Reads a stream whose second connection fails, and returns whether it received the third connection's event.
    private static func continues(
        after failure: StubResponse,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) async -> (Bool, APIError?) {
        let clock = ManualClock()
        let end: [StubResponse] = [.events("data: b\n\n"), .status(204)]
        let (client, _) = client([.events("data: a\n\n"), failure] + end, clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }.with(clauses)
        async let read = read(endpoint)
        let advancing = Task { while !Task.isCancelled { await clock.advanceToNextDeadline() } }
        let (events, error) = await read
        advancing.cancel()
        return (events == ["a", "b"], error)
    }

    @Test(
        "A stream reconnects after a network failure, and ends with any other failure",
        arguments: TransportError.Kind.allCases
    )
    func kinds(_ kind: TransportError.Kind) async {
        let failure = StubResponse.failure(TransportError(kind, "it"))
        let isTransient = Self.transientKinds.contains(kind)
        let (continues, error) = await Self.continues(after: failure)
        #expect(continues == isTransient)
        #expect((error == nil) == isTransient)
    }

    @Test(
        "An interrupted stream reconnects after a network failure, and ends with any other failure",
        arguments: TransportError.Kind.allCases
    )
    func brokenOff(_ kind: TransportError.Kind) async {
        let clock = ManualClock()
        let transport = BreakingTransport(error: TransportError(kind, "it"))
        let client = Client(Shop.url, transport: transport, clock: clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }
        let task = Task { await Self.read(endpoint) }
        if Self.transientKinds.contains(kind) {
            await clock.waitForSleepers(count: 1)
            task.cancel()
        }
        let (events, error) = await task.value
        #expect(events == ["a"])
        switch error {
        case .cancelled?: #expect(Self.transientKinds.contains(kind) || kind == .cancelled)
        case .transport(let failure)?: #expect(failure.error.kind == kind)
        default: unexpected(error)
        }
    }

    @Test("A call's Timeout applies to each connection separately, and is followed by a reconnection")
    func timeout() async throws {
        let clock = ManualClock()
        let responses: [StubResponse] = [
            .events("data: a\n\n"), .events("data: b\n\n").bodyNever(), .events("data: c\n\n"), .status(204),
        ]
        let (client, _) = Self.client(responses, clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            GET("it")
            Timeout(.seconds(30))
        }
        async let read = Self.read(endpoint)
        // While a connection is read, its time limit also sleeps on the clock.
        for end in [Duration.seconds(3), .seconds(33), .seconds(36), .seconds(39)] {
            await waitUntil { clock.deadlines.map(\.offset) == [end] }
            clock.advance(by: end - clock.now.offset)
        }
        let (events, error) = await read
        #expect(events == ["a", "c"])
        #expect(error == nil)
    }

    @Test("A stream that may not reconnect ends with the call's Timeout")
    func timeoutOfPost() async {
        let clock = ManualClock()
        let (client, _) = Self.client([.events("data: a\n\n").bodyNever()], clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint {
            POST("it")
            Timeout(.seconds(30))
        }
        async let read = Self.read(endpoint)
        await waitUntil { clock.deadlines.map(\.offset) == [.seconds(30)] }
        clock.advance(by: .seconds(30))
        guard case .timeout? = await read.error else { return unexpected(await read.error) }
    }

    @Test("No connection is made after the deadline of the enclosing scope")
    func deadline() async {
        let clock = ManualClock()
        let (client, stub) = Self.client([.events("data: a\n\n").bodyNever()], clock)
        let endpoint: Endpoint<Events<String>> = client.endpoint { GET("it") }
        async let read = Call.withDeadline(in: .seconds(30), clock: clock) { await Self.read(endpoint) }
        await waitUntil { clock.deadlines.map(\.offset) == [.seconds(30)] }
        clock.advance(by: .seconds(30))
        guard case .timeout? = await read.error else { return unexpected(await read.error) }
        #expect(stub.requests.count == 1)
    }

    /// An error from a credential source, and whether it is transient.
    struct CredentialRow: Sendable, CustomTestStringConvertible {
        let name: String
        let error: any Error
        let isTransient: Bool

        var testDescription: String { name }

        init(_ name: String, _ error: any Error, isTransient: Bool) {
            (self.name, self.error, self.isTransient) = (name, error, isTransient)
        }
    }

    private struct SignedOut: Error {}

    private static func tokenCall(_ failure: (APIError.FailedCall) -> APIError) -> APIError {
        failure(APIError.FailedCall(method: .post, template: "token"))
    }

    static let credentialRows = [
        CredentialRow(
            "unreachable",
            tokenCall { .transport(.init(call: $0, error: TransportError(.cannotConnect))) },
            isTransient: true
        ),
        CredentialRow("timeout", tokenCall { .timeout(.init(call: $0, limit: .seconds(1))) }, isTransient: true),
        CredentialRow("503", tokenCall { .status(.init(call: $0, status: 503)) }, isTransient: true),
        CredentialRow("429", tokenCall { .status(.init(call: $0, status: 429)) }, isTransient: true),
        CredentialRow("400", tokenCall { .status(.init(call: $0, status: 400)) }, isTransient: false),
        CredentialRow("TLS", TransportError(.secureConnectionFailed), isTransient: false),
        CredentialRow("URLSession", URLError(.networkConnectionLost), isTransient: true),
        CredentialRow("signed out", SignedOut(), isTransient: false),
    ]

    @Test(
        "A stream reconnects if its token server is unreachable, and ends if that server rejects the request",
        arguments: credentialRows
    )
    func credential(_ row: CredentialRow) async {
        let count = Locked(0)
        let (continues, error) = await Self.continues(after: .events("")) {
            Authorization(
                .bearer {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    // The first and second connections have a token.
                    if number == 3 { throw row.error }
                    return "t"
                }
            )
        }
        #expect(continues == row.isTransient)
        if !row.isTransient {
            guard case .authorization? = error else { return unexpected(error) }
        }
    }

    @Test("A stream reconnects after an open circuit")
    func circuit() async {
        let (continues, error) = await Self.continues(after: Self.failure) {
            CircuitBreaker(failures: 1, for: .seconds(20))
        }
        #expect(continues)
        #expect(error == nil)
    }
}

/// A transport whose responses fail after one event.
private struct BreakingTransport: Transport {
    let error: TransportError

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("data: a\n\n".utf8))
            continuation.finish(throwing: error)
        }
        return HTTPResponse(
            status: 200,
            headerFields: [HTTPField(name: .contentType, value: "text/event-stream")],
            body: HTTPBody(chunks)
        )
    }
}
