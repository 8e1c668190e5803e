import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Stream limits", .inTurn, .safetyNet)
struct StreamLimitTests {
    struct Item: Decodable, Sendable { let id: Int }

    /// A kind of stream, with a body that contains two records.
    enum Kind: String, CaseIterable, Sendable {
        case list = "[{\"id\":1},\n{\"id\":2}]"
        case lines = "{\"id\":1}\n{\"id\":2}\n"
        case sequence = "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n"
        case events = "data: {\"id\":1}\n\ndata: {\"id\":2}\n\n"
        case bytes = "first and second"

        var response: StubResponse {
            switch self {
            case .list: .text(rawValue, of: "application/json")
            case .lines: .text(rawValue, of: "application/jsonl")
            case .sequence: .text(rawValue, of: "application/json-seq")
            case .events: .events(rawValue)
            case .bytes: .text(rawValue, of: "application/octet-stream")
            }
        }

        /// A response whose second record never arrives.
        var stopped: StubResponse { response.dripped(bytes: rawValue.utf8.count - 4, every: .seconds(3600)) }

        /// Reads the stream, and returns its record count and its error.
        func read(_ client: Client) async -> (count: Int, error: APIError?) {
            var count = 0
            do throws(APIError) {
                switch self {
                case .list, .lines, .sequence:
                    let endpoint: Endpoint<[Item]> = client.endpoint { POST("it") }
                    var items = try await endpoint.stream().makeAsyncIterator()
                    while try await items.next() != nil { count += 1 }
                case .events:
                    let endpoint: Endpoint<Events<Item>> = client.endpoint { POST("it") }
                    var events = try await endpoint.stream().makeAsyncIterator()
                    while try await events.next() != nil { count += 1 }
                case .bytes:
                    let endpoint: Endpoint<Data> = client.endpoint { POST("it") }
                    var chunks = try await endpoint.bytes().makeAsyncIterator()
                    while try await chunks.next() != nil { count += 1 }
                }
                return (count, nil)
            } catch {
                return (count, error)
            }
        }
    }

    // On Linux, all sessions of a process share one queue, so other tests' traffic delays this test's events.
    private static let limit = Duration.seconds(8)

    @Test("A Timeout ends every kind of stream after the records received", arguments: Carrier.allCases, Kind.allCases)
    func wholeCall(_ carrier: Carrier, _ kind: Kind) async throws {
        let clock = ManualClock()
        let transport = try carrier.transport(Carrier.Settings(allowsSilence: true))
        try await LoopbackServer.run(["POST it": .response(kind.stopped)]) { server async throws in
            let recorder = Recorder()
            let client = Client(server.url, transport: transport, clock: clock) {
                Timeout(.seconds(30))
                Observe(recorder)
            }
            async let read = kind.read(client)
            await waitUntil { recorder.kinds.contains("head, 200 OK") }
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(30))
            let (count, error) = await read
            #expect(count <= 1)
            guard case .timeout(let timeout)? = error else { return unexpected(error) }
            #expect(timeout.limit == .seconds(30))
        }
    }

    @Test(
        "The idle limit ends every kind of stream after the records received",
        arguments: Carrier.waiting,
        Kind.allCases
    )
    func idle(_ carrier: Carrier, _ kind: Kind) async throws {
        let transport = try carrier.transport(Carrier.Settings(idle: Self.limit))
        try await LoopbackServer.run(["POST it": .response(kind.stopped)]) { server async throws in
            let (count, error) = await kind.read(Client(server.url, transport: transport))
            #expect(count == 1)
            guard case .transport(let failure)? = error else { return unexpected(error) }
            #expect(failure.error.kind == .timedOut)
        }
    }

    @Test("The first-byte limit ends every kind of stream", arguments: Carrier.waiting, Kind.allCases)
    func firstByte(_ carrier: Carrier, _ kind: Kind) async throws {
        let transport = try carrier.transport(Carrier.Settings(firstByte: .seconds(1)))
        let response = kind.response.held(by: Gate())
        try await LoopbackServer.run(["POST it": .response(response)]) { server async throws in
            let (count, error) = await kind.read(Client(server.url, transport: transport))
            #expect(count == 0)
            guard case .transport(let failure)? = error else { return unexpected(error) }
            #expect(failure.error.kind == .timedOut)
        }
    }

    @Test("Comments between events prevent the idle limit from ending the stream", arguments: Carrier.waiting)
    func comments(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(idle: Self.limit))
        // Longer than the limit in total, but never silent for a quarter of it. With its size and the ends of its
        // lines, a chunk of two bytes has seven.
        let count = Int(Self.limit / .milliseconds(100)) + 10
        let text = String(repeating: ":\n", count: count) + Kind.events.rawValue
        let response: Responder = .events(text).dripped(bytes: 7, every: .milliseconds(100)).chunked(bytes: 2)
        try await LoopbackServer.run(["POST it": response]) { server async throws in
            let (count, error) = await Kind.events.read(Client(server.url, transport: transport))
            #expect(count == 2)
            #expect(error == nil)
        }
    }
}
